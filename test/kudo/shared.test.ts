import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';
import { KudoStage } from './kudo-stage.ts';

const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: reader
rules:
- apiGroups: [""]
  resources: ["pods"]
  verbs: ["{{ .Params.VERB }}"]
`;

/** Every Instance wants the same object of the cluster. */
const sharing: OperatorVersionSpec = {
  parameters: [{ name: 'VERB', default: 'get' }],
  templates: { 'role.yaml': role },
  tasks: [{ name: 'role', kind: 'Apply', spec: { resources: ['role.yaml'] } }],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'role', tasks: ['role'] }] }],
    },
  },
};

const holder = (stage: KudoStage): string | undefined =>
  stage.embedded.world.get<AnyObject>(kinds.clusterRoles, undefined, 'reader')?.metadata.labels?.['kudo.dev/instance'];

const message = (stage: KudoStage, name: string): string =>
  stage.instance(name).status?.planStatus?.deploy?.phases?.[0]?.steps?.[0]?.message ?? '';

describe('an object of the cluster that two Instances want', () => {
  it('is applied once if they want the same', async () => {
    const { stage } = await KudoStage.running(sharing);
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    await stage.install('two');
    await stage.settled('two', 1);
    expect(stage.last('two')).toBe('deploy COMPLETE');
    expect(holder(stage)).toBe('one');
  });

  it('is not fought over if they do not, and goes to the other when the first is gone', async () => {
    const { stage } = await KudoStage.running(sharing);
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    await stage.install('two', { parameters: { VERB: 'list' } });
    await stage.until('it is told who has it', () => message(stage, 'two').includes('is held by Instance default/one'));
    expect(holder(stage)).toBe('one');
    await stage.remove('one');
    await stage.settled('two', 1);
    expect(stage.last('two')).toBe('deploy COMPLETE');
    expect(holder(stage)).toBe('two');
  });
});
