import { createHash } from 'node:crypto';
import { planManager } from '../../src/kudo/keys.ts';
import type { Instance, InstanceStatus } from '../../src/kudo/resources/instance.ts';
import type { Follow } from './follow.ts';
import { namespace, parameter } from './package.ts';
import { twinApiVersion, type World } from './world.ts';

/**
 * The floor: the writes that one change costs, sent bare, to a twin that no operator looks after. The first is the person's.
 * Whoever sends the others hears of it by a watch, as an operator must; then one follows the other, and nothing is decided, rendered
 * or compared. It ends as ours does: when a watch shows the end of the plan.
 */
export async function changeBare(world: World, follow: Follow, value: string): Promise<void> {
  const { name = '' } = follow.seen.metadata;
  const path = `/apis/${twinApiVersion}/namespaces/${namespace}/instances/${name}`;
  const { wire } = world;
  const uid = createHash('sha256').update(value).digest('hex').slice(0, 36);
  const heard = follow.until(({ spec }) => spec.parameters?.[parameter] === value);
  const ended = follow.until(({ status }) => {
    const plan = status?.planStatus?.deploy;
    return plan?.status === 'COMPLETE' && plan.uid === uid;
  });
  const asked = wire.merge(path, { spec: { parameters: { [parameter]: value } } });
  const changed = await heard;
  const write = (object: Instance, status: InstanceStatus): Promise<Instance> =>
    wire.send<Instance>('PUT', `${path}/status`, { ...object, status });
  const working = withPlan({ ...changed.status, accepted: accepted(changed) }, uid, 'IN_PROGRESS');
  const begun = await write(changed, working);
  const apply = `/api/v1/namespaces/${namespace}/configmaps/bare-${name}?fieldManager=${planManager}&force=true`;
  await wire.send('PATCH', apply, configMap(begun, value, uid), 'application/apply-patch+yaml');
  await write(begun, withPlan(working, uid, 'COMPLETE'));
  await Promise.all([asked, ended]);
}

function accepted({ spec }: Instance): NonNullable<InstanceStatus['accepted']> {
  return { operatorVersion: spec.operatorVersion ?? {}, parameters: { ...spec.parameters } };
}

/** As the operator writes it: the whole status. */
function withPlan(status: InstanceStatus, uid: string, progress: string): InstanceStatus {
  const phases = [{ name: 'only', status: progress, steps: [{ name: 'apply', status: progress }] }];
  const lastUpdatedTimestamp = new Date().toISOString();
  return {
    ...status,
    planStatus: { deploy: { name: 'deploy', status: progress, uid, lastUpdatedTimestamp, phases } },
  };
}

/** As large as ours, which says on the object what was applied. */
function configMap({ metadata: { name = '' } }: Instance, value: string, uid: string): object {
  const [labels, annotations] = [
    { heritage: 'bare' },
    { 'kudo.dev/plan': 'deploy', 'kudo.dev/last-plan-execution-uid': uid },
  ];
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `bare-${name}`, labels, annotations },
    data: { value },
  };
  const last = { 'kudo.dev/last-applied-configuration': JSON.stringify(object) };
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, ...last } } };
}
