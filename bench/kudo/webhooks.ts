import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPki } from '../../rig/pki.ts';
import { freePorts } from '../../rig/ports.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { group } from '../../src/kudo/keys.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import { timed } from '../cloudfoundry/wire.ts';
import { change, settled } from './changes.ts';
import { Follow } from './follow.ts';
import { startOurs } from './manager.ts';
import type { World } from './world.ts';

const name = 'kudo-bench';
/** Changes between two switches, the first of which do not count: the API server hears of a switch by a watch. */
const block = 8;
const spared = 2;
const heardMs = 500;

/** The same changes with our webhook in the way of each write to the Instance, and without, in turn. */
export async function measureWebhooks(
  world: World,
  { rounds, progress }: { readonly rounds: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'cutover-bench-kudo-'));
  try {
    const certificates = await certify(directory);
    const [port = 0] = await freePorts(1);
    const flags = ['--webhook-port', String(port), '--webhook-certs', certificates];
    await using _ = await startOurs(world.kubeconfig, flags);
    const hook = configuration(port, readFileSync(join(directory, 'ca.crt')));
    const configurations = world.client.resource<AnyObject>(kinds.validatingWebhookConfigurations);
    await world.deploy([name]);
    await using follow = await Follow.start(world.client, instance.type, name);
    const took = { with: [] as number[], without: [] as number[] };
    const middle = { with: [] as number[], without: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      for (const side of ['with', 'without'] as const) {
        if (side === 'with') await configurations.create(hook);
        else await configurations.delete({ name });
        await delay(heardMs);
        const own: number[] = [];
        for (let at = 0; at < block; at++) {
          const ms = await timed(() => change(world, follow, `${round}-${side}-${at}`));
          if (at >= spared) own.push(ms);
          await settled(follow);
        }
        took[side].push(...own);
        middle[side].push(median(own));
      }
    }
    progress(`with webhooks ${median(took.with).toFixed(1)} ms, without ${median(took.without).toFixed(1)} ms`);
    const ours = { metric: 'the same with webhooks absent, p50', unit: 'ms', ours: median(took.without) };
    const ratio = median(middle.without.map((ms, round) => ms / (middle.with[round] ?? Number.NaN)));
    return ratioRow(ours, { name: 'ours with webhooks', value: median(took.with), ratio }, { most: 1.2 });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function certify(directory: string): Promise<string> {
  await createPki(directory, ['127.0.0.1']);
  const served = join(directory, 'served');
  await mkdir(served);
  for (const end of ['crt', 'key']) await copyFile(join(directory, `apiserver.${end}`), join(served, `tls.${end}`));
  return served;
}

function configuration(port: number, authority: Buffer): AnyObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `instances.${group}`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        rules: [
          { apiGroups: [group], apiVersions: ['v1beta1'], operations: ['CREATE', 'UPDATE'], resources: ['instances'] },
        ],
        clientConfig: {
          url: `https://127.0.0.1:${port}/admit-kudo-dev-v1beta1-instance`,
          caBundle: authority.toString('base64'),
        },
      },
    ],
  } as unknown as AnyObject;
}
