import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'rig/**/*.test.ts', 'bench/**/*.test.ts'],
    // These need real parts: `npm run test:real`.
    exclude: ['test/real/**', 'test/kubectl/replay.test.ts', 'node_modules/**'],
    setupFiles: ['test/setup.ts'],
    // A limit against tests that hang, not a statement about speed: machines are shared and noisy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'threads',
  },
});
