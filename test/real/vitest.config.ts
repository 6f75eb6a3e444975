import { defineConfig } from 'vitest/config';

/** Tests on real parts: in processes of their own, one file at a time, because they share one cluster. */
// biome-ignore lint/style/noDefaultExport: Vitest asks for it.
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/conformance/**/*.test.ts', 'test/kubectl/**/*.test.ts', 'test/real/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
