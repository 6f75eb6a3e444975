import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'rig/**/*.test.ts', 'bench/**/*.test.ts'],
    // These need real parts: `npm run test:real`.
    exclude: ['test/real/**', 'test/kubectl/replay.test.ts', 'node_modules/**'],
    setupFiles: ['test/setup.ts'],
    // A limit against tests that hang, not a statement about speed: machines are shared and noisy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'threads',
    // By default one processor is left idle, which on a machine with two is half of it.
    maxWorkers: '100%',
  },
});
