// How web/src becomes web/dist: one script, one sheet, the service worker, the icons.
// A name under assets/ carries the hash of its content, because the gate lets browsers keep those for ever. Nothing in the
// output depends on the machine: dist is committed and compared.
import { defineConfig } from 'vite';
import { icons } from './icons.mjs';

const fixedName = (chunk) => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js');

export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'public',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [{ name: 'icons', generateBundle() { for (const [fileName, source] of icons()) this.emitFile({ type: 'asset', fileName, source }); } }],
  build: {
    outDir: process.env.TOLLGATE_PAGE_OUT ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { page: `${import.meta.dirname}/index.html`, sw: `${import.meta.dirname}/src/app/sw.ts` },
      output: { entryFileNames: fixedName, chunkFileNames: 'assets/[name]-[hash].js', assetFileNames: 'assets/[name]-[hash][extname]' },
    },
  },
});
