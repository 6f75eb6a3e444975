import { kinds } from '../../../kube/kinds.ts';
import type { AnyObject } from '../../../kube/object.ts';
import type { Verb } from '../../../portrait/verb.ts';
import type { Around } from '../../../portrait/workload.ts';
import { workloadOf } from '../../graph/workload.ts';
import { specialPlans } from '../../keys.ts';
import { instance } from '../../resources/instance.ts';
import { instanceIn, type Read } from '../instance-in.ts';
import { costOf } from '../plan/availability.ts';
import { podsOf } from '../plan/pods-of.ts';
import { replicasOf } from '../plan/replicas-of.ts';
import { nearby } from '../surroundings.ts';
import { known, presentVersion } from '../version-of.ts';
import { names } from '../wording.ts';
import { letterOf } from './patch-of.ts';
import { refusalOf } from './refusal-of.ts';
import { whyNot } from './steerable.ts';

/** Restarts the pods of an Instance by its plan `deploy`: a plan that is triggered demands a restart of what it applies. */
export const restart: Verb = {
  name: 'restart',
  summary: 'run plan deploy, which restarts the pods of all that it applies',
  request(object, around, { id, force }) {
    const read = instanceIn(object);
    const no = whyNot(read);
    if (no !== undefined) return { is: 'refused', why: no };
    const version = presentVersion(read, around);
    const plan = specialPlans.deploy;
    const refusal = refusalOf(read, version, plan);
    if (refusal !== undefined) return { is: 'refused', why: refusal };
    const near = nearby(around);
    const owned = near.ownedBy(read.metadata.uid);
    const workloads = owned.filter((one) => workloadOf(one)?.rollout === 'rolls');
    const children = owned.filter(({ kind }) => kind === instance.type.kind).map(({ metadata }) => metadata.name ?? '');
    if (workloads.length === 0 && isSeen(around)) return { is: 'refused', why: nothingOf(read, children) };
    if (known(version)?.spec.restartPolicy === 'onDependencyChange') {
      return { is: 'refused', why: byHand(read, workloads) };
    }
    const costs = workloads.map((one) => costOf(one, podsOf(one, near).length || (replicasOf(one) ?? 1)));
    const away = costs.filter(({ serves }) => serves === 'interrupted').map(({ sentence }) => sentence);
    const { execution } = read.status;
    const when = !execution
      ? `plan ${plan} runs`
      : execution.plan === plan
        ? `plan ${plan} starts over`
        : force
          ? `plan ${plan} runs instead of plan ${execution.plan}`
          : `plan ${plan} runs when plan ${execution.plan} has ended`;
    const what = costs.length > 0 ? names(costs.map(({ sentence }) => sentence)) : 'pods of what it applies restart';
    return {
      is: 'writes',
      writes: [letterOf(read, { planName: plan, uid: id, ...(force && { override: true }) })],
      said: `${when}; ${what}${children.length > 0 ? `; pods of its children ${names(children)} stay` : ''}`,
      ...(away.length > 0 && {
        stake: { what: 'availability', question: `It does not serve meanwhile: ${names(away)}. Restart it?` },
      }),
    };
  },
};

/** Whether all that could be restarted can be seen. */
function isSeen({ list }: Around): boolean {
  return [kinds.statefulSets, kinds.deployments, kinds.daemonSets].every((type) => list(type) !== undefined);
}

function nothingOf({ metadata }: Read, children: readonly string[]): string {
  const { name = '', namespace = 'default' } = metadata;
  const [first] = children;
  const way =
    first === undefined
      ? ''
      : `: its pods are those of its children, so run \`cutover restart Instance/${first} -n ${namespace}\``;
  return `Instance ${name} has no Deployment, StatefulSet or DaemonSet of its own${way}`;
}

/** With this policy no plan restarts pods that read nothing new. */
function byHand({ metadata, status }: Read, workloads: readonly AnyObject[]): string {
  const { namespace = 'default' } = metadata;
  const targets = workloads.map((one) => `${one.kind.toLowerCase()}/${one.metadata.name ?? ''}`);
  const way =
    targets.length > 0
      ? `: run \`kubectl rollout restart ${targets.join(' ')} -n ${namespace}\``
      : ': delete the pods that are to be made anew';
  return `OperatorVersion ${status.accepted?.operatorVersion.name ?? ''} restarts pods only when what they read has changed (restartPolicy: onDependencyChange)${way}`;
}
