import { type Change, strongest } from '../../change/change.ts';
import { demands } from '../../schema/demand.ts';
import type { FlinkBlueGreenDeploymentSpec } from './flink-blue-green-deployment.ts';
import type { FlinkDeploymentSpec } from './flink-deployment.ts';
import type { Nonces } from './progress.ts';
import { deploymentChange } from './spec-change.ts';

/** Seed 001, "Spec Difference Types", and `STATELESS_REDEPLOY` of seed 000. */
export type BlueGreenDiffType =
  /** The templates say the same. */
  | 'IGNORE'
  /** `job.state` becomes suspended. */
  | 'SUSPEND'
  /** `job.state` becomes running again. */
  | 'RESUME'
  /** `savepointRedeployNonce` has a new value: the other side starts from the user's path. */
  | 'SAVEPOINT_REDEPLOY'
  /** `statelessRedeployNonce` has a new value: the other side starts empty. */
  | 'STATELESS_REDEPLOY'
  /** Only fields of diff class IGNORE differ: the side is patched in place. */
  | 'PATCH_CHILD'
  /** Anything else: the other side is made. */
  | 'TRANSITION';

/** What differs between the templates of two specs. */
export interface BlueGreenChange {
  /** The first that holds, in the order of seed 001: suspend or resume, redeploy, nothing, in place, transition. */
  readonly type: BlueGreenDiffType;
  /** The redeploy nonce that has a new value, whatever the type; of both the stateless one. */
  readonly redeploy: 'savepoint' | 'stateless' | undefined;
  /** Whether something differs that demands a transition, `job.state` and the redeploy nonces left aside. */
  readonly transition: boolean;
  /** One by one. Paths are those of the FlinkDeployment: `spec.job.parallelism`. Values of secret keys are not in it. */
  readonly changes: readonly Change[];
  /** All of them in one line: `FlinkDeploymentSpec[job.parallelism : 2 -> 5]`; empty when nothing changed. */
  readonly text: string;
}

/**
 * Compares what one side has with what is wanted. Only `template.spec` is looked at: configuration and ingress act at
 * once, and `template.metadata` reaches the next side that is made.
 *
 * `nonces` are the last values acted upon. Where there is one, it takes the place of what `before` says; it outlives the
 * removal of the nonce from the spec.
 */
export function blueGreenChange(
  before: FlinkBlueGreenDeploymentSpec,
  desired: FlinkBlueGreenDeploymentSpec,
  { nonces = {} }: { readonly nonces?: Nonces | undefined } = {},
): BlueGreenChange {
  const { changes, text } = deploymentChange(templateOf(before), templateOf(desired), { nonces });
  const redeploy = redeployIn(changes);
  const transition = demandsTransition(changes.filter(({ path }) => !setAside.has(path)));
  return {
    type: typeOf(stateChange(before, desired), redeploy, transition, changes),
    redeploy,
    transition,
    changes,
    text,
  };
}

/**
 * Whether only ignorable fields differ: an edit that was taken back. Nonces count as they are written: one that is only on
 * one side makes a difference, whatever was acted upon since.
 */
export function isSameTemplate(before: FlinkBlueGreenDeploymentSpec, desired: FlinkBlueGreenDeploymentSpec): boolean {
  const [left, right] = [templateOf(before), templateOf(desired)];
  return deploymentChange(left, right).type === 'IGNORE' && deploymentChange(right, left).type === 'IGNORE';
}

/** Fields that other members of a change speak of. */
const setAside: ReadonlySet<string> = new Set([
  'spec.job.state',
  'spec.job.savepointRedeployNonce',
  'spec.job.statelessRedeployNonce',
]);

function typeOf(
  state: 'SUSPEND' | 'RESUME' | undefined,
  redeploy: BlueGreenChange['redeploy'],
  transition: boolean,
  changes: readonly Change[],
): BlueGreenDiffType {
  if (state) return state;
  if (redeploy) return redeploy === 'stateless' ? 'STATELESS_REDEPLOY' : 'SAVEPOINT_REDEPLOY';
  if (changes.length === 0) return 'IGNORE';
  return transition ? 'TRANSITION' : 'PATCH_CHILD';
}

function stateChange(
  before: FlinkBlueGreenDeploymentSpec,
  desired: FlinkBlueGreenDeploymentSpec,
): 'SUSPEND' | 'RESUME' | undefined {
  const [from, to] = [isSuspended(before), isSuspended(desired)];
  if (from === to) return undefined;
  return to ? 'SUSPEND' : 'RESUME';
}

function isSuspended(spec: FlinkBlueGreenDeploymentSpec): boolean {
  return templateOf(spec).job?.state === 'suspended';
}

function redeployIn(changes: readonly Change[]): BlueGreenChange['redeploy'] {
  const demanded = changes.map((change) => change.demands);
  if (demanded.includes('redeploy-without-state')) return 'stateless';
  return demanded.includes('redeploy-from-savepoint') ? 'savepoint' : undefined;
}

function demandsTransition(changes: readonly Change[]): boolean {
  return demands.indexOf(strongest(changes)) > demands.indexOf('patch');
}

function templateOf(spec: FlinkBlueGreenDeploymentSpec): FlinkDeploymentSpec {
  return spec.template?.spec ?? {};
}
