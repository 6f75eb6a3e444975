import { type ExplainLimits, explain } from '../graph/explain.ts';
import type { InstanceStatus, Restart } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import type { Start } from './admit/view.ts';
import type { InstanceView } from './view.ts';

/** A turn of the controller holds up all others: a tenth of a second or two at most, whatever the package is like. */
const brief: ExplainLimits = {
  plans: { renderings: 200, work: 100_000 },
  blame: { renderings: 60, work: 30_000 },
};

/**
 * Which workloads restart by what begins, and why, as far as templates tell: what was accepted before is known only now.
 * What really restarts is seen when it is applied.
 */
export function foretold(
  { plan, forced, accepted }: Start,
  { accepted: before }: InstanceStatus,
  version: OperatorVersion,
  { instance, versions }: InstanceView,
): readonly Restart[] {
  if (!before) return [];
  const { name = '', namespace = '', uid = '' } = instance.metadata;
  const reasons = explain(
    { operatorVersion: version, instance: { name, namespace, uid } },
    {
      from: before.parameters,
      to: accepted.parameters,
      plan,
      forced,
      ...(versions.accepted && { before: versions.accepted }),
    },
    brief,
  );
  return reasons
    .filter(({ restarts }) => restarts)
    .map(({ workload: { kind, name: workload }, sentence }) => ({ kind, name: workload, because: sentence }));
}
