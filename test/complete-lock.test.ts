import { describe, expect, it } from 'vitest';
import { completeLock } from './complete-lock.ts';

const lock = (packages: object): string => JSON.stringify({ name: 'x', lockfileVersion: 3, packages });
const packagesOf = (text: string): Record<string, unknown> => JSON.parse(text).packages;

describe('a lock file', () => {
  const tool = {
    version: '2.0.0',
    dev: true,
    license: 'MIT',
    optionalDependencies: {
      '@tool/cli-linux-x64': '2.0.0',
      '@tool/cli-darwin-arm64': '2.0.0',
      '@tool/cli-linux-x64-musl': '2.0.0',
    },
  };
  const linux = { version: '2.0.0', integrity: 'sha512-x', os: ['linux'], cpu: ['x64'], optional: true };

  it('gains the optional packages that npm left out, by version and platform', () => {
    const packages = packagesOf(
      completeLock(lock({ '': {}, 'node_modules/tool': tool, 'node_modules/@tool/cli-linux-x64': linux })),
    );
    expect(packages['node_modules/@tool/cli-linux-x64']).toEqual(linux);
    expect(packages['node_modules/@tool/cli-darwin-arm64']).toEqual({
      version: '2.0.0',
      os: ['darwin'],
      cpu: ['arm64'],
      dev: true,
      license: 'MIT',
      optional: true,
    });
    expect(packages['node_modules/@tool/cli-linux-x64-musl']).toMatchObject({ libc: ['musl'] });
  });

  it('is left alone when it is whole', () => {
    const once = completeLock(lock({ '': {}, 'node_modules/tool': tool }));
    expect(completeLock(once)).toBe(once);
  });
});
