// What a camera sees of a code in a terminal: characters and colours as pixels, read by zbar, which shares no code with the gate.
import { spawnSync } from 'node:child_process';

const side = 6;   // pixels a module

// Lines of cells; each has a foreground and a background, 0 for black and 1 for white, and one character.
function cellsOf(text, { fg, bg }) {
  const lines = [];
  for (const line of text.split('\n')) {
    const cells = [];
    let [front, back] = [fg, bg];
    for (const [, codes, character] of line.matchAll(/\u001b\[([\d;]*)m|(.)/gu)) {
      if (character !== undefined) { cells.push({ character, front, back }); continue; }
      const numbers = codes.split(';').map(Number);
      for (let i = 0; i < numbers.length; ++i) {
        const n = numbers[i];
        if (n === 0) [front, back] = [fg, bg];
        else if (n === 30) front = 0;
        else if (n === 40) back = 0;
        else if (n === 47) back = 1;
        else if ((n === 38 || n === 48) && numbers[i + 1] === 5) {
          const white = { 16: 0, 231: 1 }[numbers[i + 2]];
          if (n === 38) front = white; else back = white;
          i += 2;
        } else throw new Error(`a colour that is not known: ${codes}`);
      }
    }
    lines.push(cells);
  }
  return lines;
}

// The upper and the lower half of a cell: each 0 for black, 1 for white.
const halves = ({ character, front, back }) => ({ ' ': [back, back], '█': [front, front], '#': [front, front], '▀': [front, back], '▄': [back, front] })[character];

// The lines of a drawing: those that hold blocks or blanks alone, between other text.
export const drawingIn = (shown) => shown.split('\n').filter((line) => line.replace(/\u001b\[[\d;]*m/g, '').length > 20 && /^[ █▀▄#]*$/u.test(line.replace(/\u001b\[[\d;]*m/g, ''))).join('\n');

// What zbar reads from it. `tall` says that a cell is one module high and half a module wide, as in ASCII drawings.
export function scanned(drawing, look = { fg: 1, bg: 0 }, tall = false) {
  const rows = [];
  for (const cells of cellsOf(drawing, look)) {
    const parts = cells.map(halves);
    if (parts.some((part) => part === undefined)) throw new Error(`a character that is not known in: ${cells.map((cell) => cell.character).join('')}`);
    if (tall) rows.push(parts.filter((_, i) => i % 2 === 0).map(([top]) => top));
    else rows.push(parts.map(([top]) => top), parts.map(([, bottom]) => bottom));
  }
  const columns = Math.max(...rows.map((row) => row.length)), bytes = [];
  // A margin in the colour of the terminal around it.
  const pixel = (x, y) => (y < 2 || x < 2 || y >= rows.length + 2 || x >= columns + 2 ? look.bg : rows[y - 2][x - 2] ?? look.bg);
  for (let y = 0; y < (rows.length + 4) * side; ++y) for (let x = 0; x < (columns + 4) * side; ++x) bytes.push(pixel(Math.floor(x / side), Math.floor(y / side)) * 255);
  const image = Buffer.concat([Buffer.from(`P5 ${(columns + 4) * side} ${(rows.length + 4) * side} 255\n`), Buffer.from(bytes)]);
  const read = spawnSync('zbarimg', ['-q', '--raw', '-Sdisable', '-Sqrcode.enable', '-'], { input: image, encoding: 'utf8' });
  return read.stdout.trim() || `nothing: ${read.error ?? read.stderr}`;
}
