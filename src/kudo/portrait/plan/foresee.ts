import type { Accepted } from '../../decide/admit/view.ts';
import { takeChange } from '../../decide/change.ts';
import { end } from '../../decide/execution.ts';
import { imported } from '../../decide/imported.ts';
import type { InstanceView } from '../../decide/view.ts';
import type { Execution, InstanceStatus } from '../../resources/instance.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import type { Read } from '../instance-in.ts';
import { conditionOf } from '../situation.ts';

/** What becomes of an Instance as somebody wrote it. */
export type Foreseen =
  /** No plan runs for it. */
  | { readonly is: 'nothing' }
  | { readonly is: 'refused'; readonly reason: string; readonly message: string }
  /** The plan that runs ends by it, and nothing takes its place. */
  | { readonly is: 'cancels'; readonly execution: Execution }
  | Starts;

export interface Starts {
  readonly is: 'starts';
  /** As it would be written down at its beginning. */
  readonly execution: Execution;
  /** What plans worked with before; absent: it is installed. */
  readonly before?: Accepted;
  readonly accepted: Accepted;
  /** The plan that ends by it. */
  readonly supersedes?: string;
  /** Why it does not begin at once. */
  readonly waitsFor?: string;
}

/** The versions that `status.accepted` and `spec` refer to; absent: they are not there. */
export interface Versions {
  readonly accepted?: OperatorVersion | undefined;
  readonly wanted?: OperatorVersion | undefined;
}

/** Asks the function by which the controller decides. `read` has the spec as it is thought of, and the status as it is. */
export function foresee(read: Read, versions: Versions, now: number): Foreseen {
  const view = viewOf(read, versions, now);
  const status = imported(view);
  const { metadata } = read;
  const about = {
    apiVersion: read.apiVersion,
    kind: read.kind,
    name: metadata.name ?? '',
    uid: '',
    resourceVersion: '',
  };
  const asked = (from: InstanceStatus) => takeChange({ ...view, instance: { ...read, status: from } }, about);

  const change = asked(status);
  if (change.moved) return begun(status, change.status);
  const accepted = conditionOf(change.status, 'Accepted');
  if (accepted?.status === 'False') return { is: 'refused', reason: accepted.reason, message: accepted.message };
  const waiting = conditionOf(change.status, 'Waiting');
  if (waiting?.status !== 'True') return { is: 'nothing' };
  // What follows once the plan that runs has come to a good end.
  const ended = end(status, 'COMPLETE', now, undefined, versions.accepted);
  const later = asked(ended);
  const starts = later.moved ? begun(ended, later.status) : undefined;
  return starts?.is === 'starts' ? { ...starts, waitsFor: waiting.message } : { is: 'nothing' };
}

function begun(before: InstanceStatus, { execution, accepted }: InstanceStatus): Foreseen {
  const { execution: ran } = before;
  if (!execution || !accepted) return ran ? { is: 'cancels', execution: ran } : { is: 'nothing' };
  return {
    is: 'starts',
    execution,
    accepted,
    ...(before.accepted && { before: before.accepted }),
    ...(ran && { supersedes: ran.plan }),
  };
}

/** As much of a view as the question takes: nothing is looked at beside the Instance and its versions. */
function viewOf(read: Read, { accepted, wanted }: Versions, now: number): InstanceView {
  return {
    instance: read,
    versions: { ...(accepted && { accepted }), ...(wanted && { wanted }) },
    work: [],
    world: {},
    belongings: { applied: {}, workloads: [] },
    outcomes: {},
    now,
  };
}
