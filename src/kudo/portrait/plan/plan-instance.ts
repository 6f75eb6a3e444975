import { equal } from '../../../change/equal.ts';
import { annotations, switchedOn } from '../../../control/annotations.ts';
import type { AnyObject } from '../../../kube/object.ts';
import type { Edit, FieldChange, Plan } from '../../../portrait/plan.ts';
import type { Around } from '../../../portrait/workload.ts';
import { admit } from '../../decide/admit/admit.ts';
import { referenceOf } from '../../decide/admit/reference.ts';
import { RenderBudget } from '../../graph/render-budget.ts';
import { instanceIn, type Read } from '../instance-in.ts';
import { subjectOf } from '../summarize.ts';
import { known, versionOf } from '../version-of.ts';
import { brief } from '../wording.ts';
import { lookLimits } from './consequences.ts';
import { fieldChanges } from './field-changes.ts';
import { type Foreseen, foresee, type Versions } from './foresee.ts';
import { started } from './started.ts';

/** Children of children of …: what is deeper is told when it happens. */
const deepest = 3;

/**
 * What an edit of an Instance will lead to, by the functions that decide for real: `takeChange` says which plan runs or why
 * none does, rendering says what it applies, `explain` and `enhance` say whose pods restart. Reads nothing but what is given.
 */
export function planInstance(edit: Edit<AnyObject>, around: Around): Plan {
  return planned(edit, around, 0, new RenderBudget(lookLimits));
}

function planned({ before, after }: Edit<AnyObject>, around: Around, depth: number, budget: RenderBudget): Plan {
  const was = before && instanceIn(before);
  const read = thoughtOf(instanceIn(after), was);
  const wanted = versionOf(read.spec.operatorVersion, read, around);
  const accepted = read.status.accepted ? versionOf(read.status.accepted.operatorVersion, read, around) : 'absent';
  const versions: Versions = { wanted: known(wanted), accepted: known(accepted) };
  const changes = fieldChanges(was, read, versions);
  const plain = plainPlan(read, changes);
  if (was && changes.length === 0) return { ...plain, risk: 'none', line: 'nothing changes' };
  if (wanted === 'unknown' || wanted === 'odd') return refused(plain, unreadable(read, wanted));
  if (read.metadata.deletionTimestamp !== undefined) return deleting(plain, read, versions);

  const isTouched = !was || !equal(decidedBy(was), decidedBy(read)) || isResumed(was, read);
  const foreseen: Foreseen = isTouched ? foresee(read, versions, around.now) : { is: 'nothing' };
  switch (foreseen.is) {
    case 'nothing':
      return { ...plain, line: 'it is stored; no plan runs for it and no pod restarts' };
    case 'refused':
      return refused(plain, { field: fieldOf(foreseen.reason), rule: foreseen.reason, message: foreseen.message });
    case 'cancels': {
      const { plan } = foreseen.execution;
      const line = `plan ${plan} is cancelled; what it has applied stays, and the rest is not applied`;
      const undo = { possible: true, sentence: `trigger plan ${plan} again` };
      return { ...plain, line, steps: [{ symbol: '·', what: `plan ${plan} ends` }], undo };
    }
    case 'starts': {
      const children = (edit: Edit<AnyObject>) =>
        depth < deepest ? planned(edit, around, depth + 1, budget) : undefined;
      const plan = started({ plain, read, foreseen, versions, around, children, budget });
      return switchedOn(read, annotations.paused)
        ? { ...plan, waitsFor: `the annotation ${annotations.paused} is removed: nothing is done before` }
        : plan;
    }
    default:
      return foreseen satisfies never;
  }
}

/** The specification as it is thought of beside the status as it is: an edit never changes that. */
function thoughtOf(after: Read, was: Read | undefined): Read {
  const { uid = was?.metadata.uid, ...metadata } = after.metadata;
  return { ...after, metadata: { ...metadata, ...(uid !== undefined && { uid }) }, status: was?.status ?? {} };
}

function decidedBy({ spec }: Read): unknown {
  return [referenceOf(spec.operatorVersion), spec.parameters ?? {}, spec.planExecution ?? {}];
}

function isResumed(was: Read, read: Read): boolean {
  return switchedOn(was, annotations.paused) && !switchedOn(read, annotations.paused);
}

/** A plan by which nothing restarts and nothing stops. */
function plainPlan(read: Read, changes: readonly FieldChange[]): Plan {
  return {
    subject: subjectOf(read),
    risk: 'quiet',
    line: '',
    changes,
    steps: [],
    restarts: [],
    state: { outcome: 'kept', sentence: 'nothing is done to volumes' },
    availability: { serves: 'throughout', sentence: 'pods that run go on' },
    undo: { possible: true, sentence: 'write back what stood there before' },
    warnings: [],
    problems: [],
  };
}

/** While an Instance is deleted nothing can be changed; the deletion itself is not planned. */
function deleting(plain: Plan, read: Read, versions: Versions): Plan {
  const { namespace = 'default', name = '' } = read.metadata;
  const { accepted: before } = read.status;
  const verdict = admit({
    name: { namespace, name },
    ...(before && { before }),
    after: read.spec,
    deleting: true,
    versions: {
      ...(versions.accepted && { before: versions.accepted }),
      ...(versions.wanted && { after: versions.wanted }),
    },
    request: { is: 'none' },
  });
  if (verdict.is !== 'refused') return { ...plain, line: 'it is being deleted; nothing else comes of this' };
  return refused(plain, { field: fieldOf(verdict.reason), rule: verdict.reason, message: verdict.message });
}

function refused(plain: Plan, problem: Plan['problems'][number]): Plan {
  const unknown = 'nothing of it will happen';
  return {
    ...plain,
    risk: 'none',
    line: `refused: ${brief(problem.message)}`,
    state: { outcome: 'kept', sentence: unknown },
    undo: { possible: true, sentence: unknown },
    problems: [problem],
  };
}

const ofLetter: ReadonlySet<string> = new Set([
  'UnknownPlan',
  'CleanupByUser',
  'PlanWithParameters',
  'PlanWhileDeleted',
  'UpgradeWithPlan',
]);
const ofVersion: ReadonlySet<string> = new Set([
  'OperatorVersionNotFound',
  'OperatorVersionNotReadable',
  'NoDeployPlan',
  'NoUpgradePlan',
]);

/** The field that a refusal is about. */
function fieldOf(reason: string): string {
  if (ofLetter.has(reason)) return 'spec.planExecution.planName';
  return ofVersion.has(reason) ? 'spec.operatorVersion' : 'spec.parameters';
}

function unreadable({ spec, metadata }: Read, found: 'unknown' | 'odd'): Plan['problems'][number] {
  const { name = '', namespace = metadata.namespace ?? 'default' } = referenceOf(spec.operatorVersion);
  const message =
    found === 'unknown'
      ? `the OperatorVersion ${name} in namespace ${namespace} could not be looked up, so nobody can tell what will happen: see whether you may read OperatorVersions there`
      : `the OperatorVersion ${name} in namespace ${namespace} has not the shape of one, so no plan can run with it: install the package again`;
  return { field: 'spec.operatorVersion', rule: found === 'unknown' ? 'NotLookedUp' : 'OddVersion', message };
}
