import { defineConfig } from 'vitest/config';

/** What replaces modules must not share them with others. */
const mocking = 'src/**/*.mocked.test.ts';
/** These need real parts: `npm run test:real`. */
const real = ['test/real/**', 'test/kubectl/replay.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    // A limit against tests that hang, not a statement about speed: machines are shared and noisy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'threads',
    // By default one processor is left idle, which on a machine with two is half of it.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'rig/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [mocking, ...real, 'node_modules/**'],
          // No module has state, so files can share what they import: reading it anew for each took half of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'mocking', include: [mocking] } },
    ],
  },
});
