// What the page's own source promises: no way for text to become markup, small files, a small first load.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { fileURLToPath } from 'node:url';

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../web');
const filesIn = (folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).map((each) => path.join(each.parentPath ?? each.path, each.name)).sort();
const source = filesIn(`${web}/src`).filter((file) => /\.tsx?$/.test(file));
const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|createContextualFragment|\beval\(|new Function|DOMParser|srcdoc|javascript:/;

export const rows = [
  {
    name: 'no source makes markup or code out of text',
    act: async () => source.filter((file) => forbidden.test(fs.readFileSync(file, 'utf8'))).map((file) => path.basename(file)),
    want: [],
  },
  {
    name: 'every source begins with what it is, and stays under 300 lines',
    act: async () => source.filter((file) => { const text = fs.readFileSync(file, 'utf8'); return !text.startsWith('// ') || text.split('\n').length > 300; }).map((file) => path.basename(file)),
    want: [],
  },
  {
    name: 'the page has no inline script or style',
    act: async () => { const page = fs.readFileSync(`${web}/dist/index.html`, 'utf8'); return [/<script(?![^>]*\bsrc=)/.test(page), /<style|\sstyle=|\son\w+=/.test(page)]; },
    want: [false, false],
  },
  {
    name: 'the first load is under 100 KB when it is packed',
    act: async () => {
      const first = filesIn(`${web}/dist`).filter((file) => /index\.html$|\.js$|\.css$|\.webmanifest$|\/icon\.svg$/.test(file) && !file.endsWith('sw.js'));
      return first.reduce((sum, file) => sum + zlib.gzipSync(fs.readFileSync(file), { level: 9 }).length, 0) < 100_000;
    },
    want: true,
  },
];
