import type { AnyObject } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import { copy, type Fields, isFields } from '../schema/json.ts';
import { badRequest, conflict, StatusError } from '../status-error.ts';
import { timestamp } from '../timestamp.ts';
import { admit, attemptOf } from './admit.ts';
import type { Call, Ground, Outcome } from './ground.ts';
import { success } from './success.ts';
import { update } from './update.ts';
import { ownOptions, type WriteOptions } from './write-options.ts';

/**
 * Assigns a pod to a node: what a scheduler says by `pods/binding`.
 *
 * @throws StatusError 404; 409 when the pod is assigned already or is being deleted; 500 when the target is no node (the
 *   real server takes that upon itself)
 */
export async function bind(ground: Ground, call: Call, binding: Draft, options: WriteOptions): Promise<Outcome> {
  const { name } = call;
  if (binding.metadata.name !== name) throw badRequest('name in URL does not match name in Binding object');
  const target = isFields(binding.target) ? binding.target : {};
  checkTarget(target);
  await admit(ground, call, {
    ...attemptOf(call, 'CREATE', name, options),
    object: binding as AnyObject,
    oldObject: undefined,
  });
  const { uid, resourceVersion } = binding.metadata;
  const refuse = (why: string): never => {
    throw conflict({ group: '', plural: 'pods/binding', name }, why);
  };
  await update(
    ground,
    { ...call, subresource: 'binding' },
    {
      propose(pod) {
        const spec = pod.spec as { readonly nodeName?: string; readonly schedulingGates?: readonly unknown[] };
        if (uid && uid !== pod.metadata.uid) {
          refuse(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid}`);
        }
        if (resourceVersion && resourceVersion !== pod.metadata.resourceVersion) {
          const found = pod.metadata.resourceVersion;
          refuse(
            `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${found}`,
          );
        }
        if (pod.metadata.deletionTimestamp) refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
        if (spec.nodeName) refuse(`pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
        if (spec.schedulingGates?.length) refuse(`pod ${name} has non-empty .spec.schedulingGates`);
        return bound(copy(pod) as unknown as Draft, binding, target.name, timestamp(ground.clock.now()));
      },
      tracked: true,
      // Validation of a pod's update refuses a change of its node; binding is the way around it.
      trusted: true,
    },
    { ...ownOptions('UpdateOptions', options.manager), dryRun: options.dryRun },
  );
  return success(201, undefined, 201);
}

function checkTarget({ kind, name }: Fields): void {
  const wrong = [
    ...(kind && kind !== 'Node'
      ? [`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`]
      : []),
    ...(name ? [] : ['target.name: Required value']),
  ];
  if (wrong.length > 0) throw new StatusError(500, '', wrong.length === 1 ? (wrong[0] ?? '') : `[${wrong.join(', ')}]`);
}

function bound(pod: Draft, binding: Draft, node: unknown, now: string): Draft {
  pod.spec.nodeName = node;
  pod.metadata.annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  pod.metadata.labels = { ...pod.metadata.labels, ...binding.metadata.labels };
  const conditions: Draft[] = pod.status?.conditions ?? [];
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  pod.status = { ...pod.status, conditions: [...conditions.filter(({ type }) => type !== 'PodScheduled'), scheduled] };
  return pod;
}
