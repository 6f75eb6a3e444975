import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kube/object.ts';
import { compareWithHelm, lintedByHelm } from '../../install/helm-parity.ts';
import { everything, release } from '../../install/rendered.ts';
import { Installed } from './installed.ts';

/** Values that between them take every branch that a person is likely to take. */
const chosen: readonly (readonly [string, JsonObject])[] = [
  ['nothing but the defaults', {}],
  ['everything', everything],
  [
    'Flink and KUDO in two namespaces',
    {
      families: { kudo: true },
      watchNamespaces: ['team-a', 'team-b'],
      rbac: { clusterScoped: false },
      webhooks: { enabled: false },
      shards: 4,
      replicas: 3,
      takeover: ['flinkdeployment'],
      switchedOff: ['flinksessionjob'],
    },
  ],
  [
    'words that YAML and templates would take for something else',
    {
      extraArgs: ['--x={{ .Values.secret }}', 'yes', '0x10', '# no comment', "it's"],
      extraEnv: [{ name: 'NO', value: 'off' }],
      podAnnotations: { 'a/b': '1e3', colon: 'a: b', lines: 'one\ntwo\n' },
      labels: { on: 'true' },
      resources: { limits: { memory: '1Gi', cpu: '2' } },
      flink: { config: { 'a.b': 'true', 'c.d': '1', 'e.f': '{{ x }}' } },
    },
  ],
];

describe('our rendering of the chart, beside that of Helm', { timeout: 120_000 }, () => {
  let helm: string;
  beforeAll(async () => {
    helm = (await Installed.open(process.env.CUTOVER_KUBECONFIG ?? '')).program;
  });

  it.each(chosen)('is the same for %s', async (_, values) => {
    expect(await compareWithHelm(helm, values, release)).toEqual([]);
    expect(await lintedByHelm(helm, values)).toBeUndefined();
  });

  it('is refused by the same schema', async () => {
    expect(await lintedByHelm(helm, { replicas: 'two' })).toContain('replicas');
  });
});
