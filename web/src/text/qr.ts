// A QR code (ISO 18004) for a short text: bytes, error correction level M, versions 1 to 20, the mask with the least penalty.
// Pure: gives rows of dark and light; drawing is parts/qrcode.

const blockEcc = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const blockCount = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

type Grid = boolean[][];

// Undefined where the text is longer than the largest version takes.
export function qrOf(text: string): Grid | undefined {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version < blockEcc.length; ++version) {
    const room = dataRoom(version), lengthBits = version < 10 ? 8 : 16;
    if (4 + lengthBits + 8 * bytes.length <= 8 * room) return drawn(version, withEcc(version, packed(bytes, room, lengthBits)));
  }
  return undefined;
}

function rawModules(version: number): number {
  let count = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const align = Math.floor(version / 7) + 2;
    count -= (25 * align - 10) * align - 55;
    if (version >= 7) count -= 36;
  }
  return count;
}

const dataRoom = (version: number): number => Math.floor(rawModules(version) / 8) - blockEcc[version]! * blockCount[version]!;

function packed(bytes: Uint8Array, room: number, lengthBits: number): number[] {
  const bits: number[] = [];
  const push = (value: number, size: number): void => { for (let i = size - 1; i >= 0; --i) bits.push((value >>> i) & 1); };
  push(4, 4);
  push(bytes.length, lengthBits);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, 8 * room - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  const out: number[] = [];
  for (let i = 0; i < bits.length; i += 8) out.push(bits.slice(i, i + 8).reduce((byte, bit) => (byte << 1) | bit, 0));
  for (let pad = 0xec; out.length < room; pad ^= 0xec ^ 0x11) out.push(pad);
  return out;
}

function multiply(a: number, b: number): number {
  let z = 0;
  for (let i = 7; i >= 0; --i) {
    z = (z << 1) ^ ((z >>> 7) * 0x11d);
    z ^= ((b >>> i) & 1) * a;
  }
  return z;
}

function divisorOf(degree: number): number[] {
  const out = Array<number>(degree).fill(0);
  out[degree - 1] = 1;
  let root = 1;
  for (let i = 0; i < degree; ++i) {
    for (let j = 0; j < degree; ++j) {
      out[j] = multiply(out[j]!, root);
      if (j + 1 < degree) out[j]! ^= out[j + 1]!;
    }
    root = multiply(root, 2);
  }
  return out;
}

function remainder(data: number[], divisor: number[]): number[] {
  const out = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ out.shift()!;
    out.push(0);
    divisor.forEach((each, i) => { out[i]! ^= multiply(each, factor); });
  }
  return out;
}

function withEcc(version: number, data: number[]): number[] {
  const count = blockCount[version]!, ecc = blockEcc[version]!;
  const all = Math.floor(rawModules(version) / 8), short = count - (all % count), size = Math.floor(all / count);
  const divisor = divisorOf(ecc);
  const blocks: { data: number[]; ecc: number[] }[] = [];
  for (let i = 0, at = 0; i < count; ++i) {
    const part = data.slice(at, at + size - ecc + (i < short ? 0 : 1));
    at += part.length;
    blocks.push({ data: part, ecc: remainder(part, divisor) });
  }
  const out: number[] = [];
  for (let i = 0; i <= size - ecc; ++i) for (const block of blocks) if (i < block.data.length) out.push(block.data[i]!);
  for (let i = 0; i < ecc; ++i) for (const block of blocks) out.push(block.ecc[i]!);
  return out;
}

function alignments(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2, step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const out = [6];
  for (let at = size - 7; out.length < count; at -= step) out.splice(1, 0, at);
  return out;
}

function drawn(version: number, codewords: number[]): Grid {
  const size = version * 4 + 17;
  const dark: Grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const fixed: Grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (x: number, y: number, on: boolean): void => { if (x >= 0 && y >= 0 && x < size && y < size) { dark[y]![x] = on; fixed[y]![x] = true; } };
  for (let i = 0; i < size; ++i) { set(6, i, i % 2 === 0); set(i, 6, i % 2 === 0); }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const)
    for (let dy = -4; dy <= 4; ++dy) for (let dx = -4; dx <= 4; ++dx) { const d = Math.max(Math.abs(dx), Math.abs(dy)); set(cx + dx, cy + dy, d !== 2 && d !== 4); }
  const at = alignments(version, size), end = at.length - 1;
  at.forEach((x, i) => at.forEach((y, j) => {
    if ((i === 0 && j === 0) || (i === 0 && j === end) || (i === end && j === 0)) return;
    for (let dy = -2; dy <= 2; ++dy) for (let dx = -2; dx <= 2; ++dx) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
  }));
  drawFormat(set, size, 0);
  drawVersion(set, size, version);
  place(dark, fixed, codewords);
  let best: Grid = dark, least = Infinity;
  for (let mask = 0; mask < 8; ++mask) {
    const tried = dark.map((row, y) => row.map((on, x) => (fixed[y]![x]! ? on : on !== masks[mask]!(x, y))));
    drawFormat((x, y, on) => { tried[y]![x] = on; }, size, mask);
    const cost = penalty(tried);
    if (cost < least) { least = cost; best = tried; }
  }
  return best;
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0, (_x, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function drawFormat(set: (x: number, y: number, on: boolean) => void, size: number, mask: number): void {
  let rest = mask;   // level M is 0
  for (let i = 0; i < 10; ++i) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (i: number): boolean => ((bits >>> i) & 1) === 1;
  for (let i = 0; i <= 5; ++i) set(8, i, bit(i));
  set(8, 7, bit(6)); set(8, 8, bit(7)); set(7, 8, bit(8));
  for (let i = 9; i < 15; ++i) set(14 - i, 8, bit(i));
  for (let i = 0; i < 8; ++i) set(size - 1 - i, 8, bit(i));
  for (let i = 8; i < 15; ++i) set(8, size - 15 + i, bit(i));
  set(8, size - 8, true);
}

function drawVersion(set: (x: number, y: number, on: boolean) => void, size: number, version: number): void {
  if (version < 7) return;
  let rest = version;
  for (let i = 0; i < 12; ++i) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let i = 0; i < 18; ++i) {
    const on = ((bits >>> i) & 1) === 1, a = size - 11 + (i % 3), b = Math.floor(i / 3);
    set(a, b, on); set(b, a, on);
  }
}

function place(dark: Grid, fixed: Grid, codewords: number[]): void {
  const size = dark.length;
  let i = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; ++step) for (let j = 0; j < 2; ++j) {
      const x = right - j, upward = ((right + 1) & 2) === 0, y = upward ? size - 1 - step : step;
      if (fixed[y]![x]! || i >= codewords.length * 8) continue;
      dark[y]![x] = ((codewords[i >>> 3]! >>> (7 - (i & 7))) & 1) === 1;
      ++i;
    }
  }
}

// Long runs, blocks and imbalance make a code hard to read for a camera.
function penalty(grid: Grid): number {
  const size = grid.length;
  let cost = 0, count = 0;
  const line = (at: (i: number) => boolean): void => {
    let run = 1;
    for (let i = 1; i <= size; ++i) {
      if (i < size && at(i) === at(i - 1)) { ++run; continue; }
      if (run >= 5) cost += run - 2;
      run = 1;
    }
    for (let i = 0; i + 7 <= size; ++i) {
      const shape = [0, 1, 2, 3, 4, 5, 6].map((k) => at(i + k));
      if (shape.join() === 'true,false,true,true,true,false,true') cost += 40;
    }
  };
  for (let i = 0; i < size; ++i) { line((k) => grid[i]![k]!); line((k) => grid[k]![i]!); }
  for (let y = 0; y < size; ++y) for (let x = 0; x < size; ++x) {
    if (grid[y]![x]!) ++count;
    if (x + 1 < size && y + 1 < size && grid[y]![x] === grid[y]![x + 1] && grid[y]![x] === grid[y + 1]![x] && grid[y]![x] === grid[y + 1]![x + 1]) cost += 3;
  }
  return cost + 10 * Math.floor(Math.abs(count * 20 - size * size * 10) / (size * size));
}
