// The gate's icon, plain and with the number of open questions on it.
// One file a number: a drawn icon would need data: addresses, which the page's policy forbids.
const bar = '<rect x="6" y="15" width="52" height="9" rx="4.5" fill="#f5a524"/>' +
  '<path d="M18 15h8l-5 9h-8zM36 15h8l-5 9h-8z" fill="#1b2733"/>' +
  '<rect x="9" y="22" width="9" height="33" rx="3" fill="#dfe6ec"/><rect x="5" y="51" width="17" height="6" rx="3" fill="#dfe6ec"/>';
const ground = (radius) => `<rect width="64" height="64" rx="${radius}" fill="#1b2733"/>`;
const wrap = (body) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${body}</svg>\n`;
const badge = (text) => `<circle cx="44" cy="44" r="19" fill="#e5484d"/>` +
  `<text x="44" y="53" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${text.length > 1 ? 20 : 27}" fill="#fff">${text}</text>`;

export function icons() {
  const all = [['icon.svg', wrap(ground(14) + bar)]];
  for (let n = 1; n <= 9; ++n) all.push([`icon-${n}.svg`, wrap(ground(14) + bar + badge(String(n)))]);
  all.push(['icon-more.svg', wrap(ground(14) + bar + badge('9+'))]);
  return all;
}

// For the picture files, which are drawn once: a square ground, and room around it where a system cuts.
export const whole = () => wrap(ground(0) + bar);
export const maskable = () => wrap(`${ground(0)}<g transform="translate(12.8 12.8) scale(.6)">${bar}</g>`);
