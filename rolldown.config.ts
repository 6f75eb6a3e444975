import { defineConfig } from 'rolldown';

/**
 * One program for plain Node: `dist/cutover.js` and the chunks it loads on demand, so that `cutover operator` does not
 * read the embedded cluster into memory.
 */
export default defineConfig({
  input: { cutover: 'src/main.ts' },
  platform: 'node',
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: true,
    cleanDir: true,
    banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
  },
});
