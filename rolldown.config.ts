import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { builtChart, readChartFolder } from './src/main/chart-source.ts';
import { webBundle } from './src/web/build/web-bundle.ts';

const dashboard = webBundle(join(import.meta.dirname, 'src/web'));

export default defineConfig([
  /**
   * One program for plain Node: `dist/cutover.js` and the chunks it loads on demand, so that `cutover operator` does not
   * read the embedded cluster into memory.
   */
  {
    input: { cutover: 'src/main.ts' },
    platform: 'node',
    // Only what runs from source bundles the dashboard by itself.
    external: ['rolldown'],
    plugins: [
      {
        name: 'chart',
        /** What `cutover install generate` renders. */
        generateBundle() {
          const source = JSON.stringify(readChartFolder(join(import.meta.dirname, 'charts/cutover')));
          this.emitFile({ type: 'asset', fileName: builtChart, source });
        },
      },
    ],
    output: {
      dir: 'dist',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      minify: true,
      cleanDir: true,
      banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
    },
  },
  /** What it serves to browsers: `dist/web`. After the program, which begins with an empty `dist`. */
  { ...dashboard, output: { ...dashboard.output, dir: join(import.meta.dirname, 'dist/web') } },
]);
