import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { demoPackage } from './demo-package.ts';
import { KudoStage } from './kudo-stage.ts';

const random = {
  ...demoPackage,
  templates: {
    ...demoPackage.templates,
    'random.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-random\ndata:\n  value: "{{ randAlphaNum 8 }}"\n',
  },
  tasks: [...(demoPackage.tasks ?? []), { name: 'random', kind: 'Apply', spec: { resources: ['random.yaml'] } }],
  plans: {
    deploy: {
      strategy: 'serial' as const,
      phases: [{ name: 'main', strategy: 'serial' as const, steps: [{ name: 'random', tasks: ['random'] }] }],
    },
  },
};
const name = { namespace: 'default', name: 'one.kudo-random' };

/** An Instance is made while the Secret of one that had its name before is still going. */
async function besideFormerSecret(): Promise<KudoStage> {
  const { stage } = await KudoStage.running(random);
  const owner = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'one', uid: 'uid-of-before' };
  const metadata = { ...name, finalizers: ['example.org/slow'], ownerReferences: [owner] };
  await stage.apply({ apiVersion: 'v1', kind: 'Secret', metadata, data: { key: 'b2xk' } } as KubeObject);
  await stage.install('one');
  await stage.until('it is shown to run', () => stage.instance('one').status?.execution?.shown === true);
  return stage;
}

describe('the random key of a former Instance', () => {
  it('is not used: the plan waits until it is gone, and keeps another', async () => {
    await using stage = await besideFormerSecret();
    await stage.clock.advance(30_000);
    expect(stage.find(kinds.configMaps, 'one-random')).toBeUndefined();
    const secrets = stage.person.resource(kinds.secrets);
    await secrets.patch(name, { type: 'merge', body: { metadata: { finalizers: null } } });
    await stage.settled('one', 1);
    expect(stage.last('one')).toBe('deploy COMPLETE');
    const [owner] = stage.find(kinds.secrets, name.name)?.metadata.ownerReferences ?? [];
    expect(owner?.uid).toBe(stage.instance('one').metadata.uid);
  });

  it('is taken over if that one was deleted without what it owned', async () => {
    const { stage } = await KudoStage.running(random);
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    const before = stage.find(kinds.configMaps, 'one-random')?.data;
    const instances = stage.person.resource(instance.type);
    await instances.delete({ namespace: 'default', name: 'one' }, { propagationPolicy: 'Orphan' });
    await stage.until('it is gone', () => stage.find(instance.type, 'one') === undefined);
    await stage.install('one');
    await stage.settled('one', 1);
    expect(stage.last('one')).toBe('deploy COMPLETE');
    expect(stage.find(kinds.configMaps, 'one-random')?.data).toEqual(before);
    const [owner] = stage.find(kinds.secrets, name.name)?.metadata.ownerReferences ?? [];
    expect(owner?.uid).toBe(stage.instance('one').metadata.uid);
  });

  it('keeps nobody from cancelling the plan that waits for it to go', async () => {
    await using stage = await besideFormerSecret();
    await stage.edit('one', { planExecution: { planName: '' } });
    await stage.settled('one', 1);
    expect(stage.last('one')).toBe('deploy CANCELED');
  });
});
