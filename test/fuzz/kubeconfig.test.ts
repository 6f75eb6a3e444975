import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { accessFromKubeconfig } from '../../src/kube/kubeconfig/access-from-kubeconfig.ts';
import { readKubeconfig } from '../../src/kube/kubeconfig/kubeconfig.ts';
import { KubeconfigError } from '../../src/kube/kubeconfig/kubeconfig-error.ts';
import { answerOf, cases } from './fuzz.ts';
import { hostileText, mutated, twisted } from './hostile.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true }));

const config = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'c',
  contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'n' } }],
  clusters: [
    {
      name: 'k',
      cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': 'YQ==', 'tls-server-name': 'x' },
    },
  ],
  users: [{ name: 'u', user: { token: 't', as: 'anna', 'as-groups': ['g'], 'as-user-extra': { a: ['b'] } } }],
};
const keys = [
  'server',
  'token',
  'tokenFile',
  'exec',
  'command',
  'client-key',
  'username',
  'proxy-url',
  'auth-provider',
  'name',
  'context',
  'insecure-skip-tls-verify',
];
const yaml = [': ', '- ', '\n', '  ', '&a ', '*a', '!!str ', '[', '{', '|', '---\n', '%YAML\n', '? '];

describe('a kubeconfig', () => {
  it('leads to a cluster, or is refused in one line', async () => {
    const path = join(folder, 'config');
    const texts = fc.oneof(
      twisted(config, keys).map((value) => JSON.stringify(value)),
      mutated([stringify(config)], [...yaml, ...keys]),
      hostileText([...yaml, ...keys]),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        writeFileSync(path, text);
        const read = await answerOf(
          async () => accessFromKubeconfig(await readKubeconfig([path]), { clock: new VirtualClock() }),
          KubeconfigError,
          text.length * 2,
        );
        if ('error' in read) {
          expect(read.error.message).not.toMatch(/\n/);
          return;
        }
        expect(['http:', 'https:']).toContain(new URL(read.value.server).protocol);
        expect(read.value.namespace).not.toBe('');
      }),
      cases(300),
    );
  });
});
