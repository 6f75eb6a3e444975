import type { Action, Decision, PatchAction } from '../../../src/control/decision.ts';
import type { BlueGreenView, SideSeen } from '../../../src/flink/blue-green-view.ts';
import type { Color } from '../../../src/flink/resources/blue-green-transition.ts';
import type {
  FlinkBlueGreenDeploymentSpec,
  FlinkBlueGreenDeploymentStatus,
} from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { Json, JsonObject } from '../../../src/kube/object.ts';
import type { Decide } from '../decider.ts';
import type { Invariant } from '../invariants.ts';
import type { Scenario } from '../scenario.ts';

export type Status = FlinkBlueGreenDeploymentStatus;
export type Spec = FlinkBlueGreenDeploymentSpec;

/** A known mistake, made again on purpose: the real decision with something wrong done to what goes in or comes out. */
export interface Variant {
  readonly name: string;
  /** What was or is done wrong, in one sentence. */
  readonly bug: string;
  /** Where it was seen. */
  readonly seenIn: string;
  readonly breaks: Invariant;
  /** As little as is needed to find it. */
  readonly scenario: Omit<Scenario, 'name'>;
  of(decide: Decide): Decide;
}

export function other(color: Color): Color {
  return color === 'BLUE' ? 'GREEN' : 'BLUE';
}

export function statusIn({ actions }: Decision): Status | undefined {
  return actions.find((action) => action.do === 'status')?.status as Status | undefined;
}

/** The same decision with another status in it; if it writes none, it writes this one. */
export function writing(view: BlueGreenView, decision: Decision, change: (status: Status) => Status): Decision {
  const written = statusIn(decision) ?? view.resource.status ?? {};
  const status = change(written) as unknown as JsonObject;
  const { apiVersion, kind, metadata } = view.resource;
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
  const of = { apiVersion, kind, name, namespace, uid, resourceVersion };
  const others = decision.actions.filter((action) => action.do !== 'status');
  return { ...decision, actions: [{ do: 'status', of, status }, ...others] };
}

/** The same decision with something changed about its actions. */
export function acting(decision: Decision, change: (actions: readonly Action[]) => readonly Action[]): Decision {
  return { ...decision, actions: change(decision.actions) };
}

export function withStatus(view: BlueGreenView, status: Status): BlueGreenView {
  return { ...view, resource: { ...view.resource, status } };
}

export function withJob(view: BlueGreenView, job: (job: object) => object): BlueGreenView {
  const { spec } = view.resource;
  return { ...view, resource: { ...view.resource, spec: specWithJob(spec, job) } };
}

export function specWithJob(spec: Spec, job: (job: object) => object): Spec {
  const { template } = spec;
  return { ...spec, template: { ...template, spec: { ...template?.spec, job: job(template?.spec?.job ?? {}) } } };
}

export function suspending({ ref }: SideSeen): PatchAction {
  return { do: 'patch', of: ref, patch: [{ op: 'replace', path: '/spec/job/state', value: 'suspended' as Json }] };
}

export function deleting({ ref }: SideSeen): Action {
  return { do: 'delete', of: ref };
}

export function isReadySeen(side: SideSeen | undefined): boolean {
  return side?.status.jobStatus?.state === 'RUNNING' && side.status.lifecycleState === 'STABLE' && !side.terminating;
}
