import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { admit } from '../../../src/kudo/decide/admit/admit.ts';
import { rules } from '../../../src/kudo/decide/admit/rules.ts';
import type { AdmitView, PlanRequest, Verdict } from '../../../src/kudo/decide/admit/view.ts';
import type { InstanceSpec } from '../../../src/kudo/resources/instance.ts';
import type { OperatorVersion } from '../../../src/kudo/resources/operator-version.ts';
import { admissionDifferences, type Differs } from './admission-differences.ts';

/** One write of an Instance, and what KUDO 0.19.0 did with it. */
interface Step {
  readonly step: string;
  readonly instance: string;
  /** The spec as it was; absent: the Instance is new. */
  readonly before?: InstanceSpec;
  readonly after: InstanceSpec;
  readonly expected: {
    readonly refused?: string;
    readonly plan?: string;
    /** As they were stored. */
    readonly parameters?: Readonly<Record<string, string>>;
  };
}

interface Recording {
  readonly namespace: string;
  readonly versions: readonly OperatorVersion[];
  readonly steps: readonly Step[];
}

const folder = new URL('./admission/', import.meta.url);

const cases = readdirSync(folder).flatMap((file) => {
  const recording = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recording;
  return recording.steps.map((step) => ({ name: `${file.replace(/\.json$/, '')}/${step.step}`, step, recording }));
});

it.each(cases)('$name ends as it did with KUDO, or as is listed', ({ name, step, recording }) => {
  const listed = admissionDifferences.find((difference) => difference.step === name);
  const { differs, detail } = compare(step, admit(viewOf(step, recording)));
  expect(differs, detail).toBe(listed?.differs);
});

it('lists no difference of a step that is not there', () => {
  const names = new Set(cases.map(({ name }) => name));
  expect(admissionDifferences.filter(({ step }) => !names.has(step))).toEqual([]);
});

it('says every refusal of the table that a recording has', () => {
  const seen = new Set(
    cases
      .map(({ step, recording }) => admit(viewOf(step, recording)))
      .flatMap((one) => (one.is === 'refused' ? one.reason : [])),
  );
  expect([...seen].sort()).toEqual([
    'AddedImmutable',
    'BecameImmutable',
    'CleanupByUser',
    'ImmutableParameter',
    'InvalidParameters',
    'InvalidParametersOnCreate',
    'OperatorVersionNotFound',
    'PlanWithParameters',
    'SeveralPlans',
    'UnknownParameter',
    'UnknownPlan',
    'UpgradeWithParameters',
    'UpgradeWithPlan',
  ]);
});

function viewOf({ instance, before, after }: Step, { namespace, versions }: Recording): AdmitView {
  const version = ({ operatorVersion }: InstanceSpec) =>
    versions.find(({ metadata }) => metadata.name === operatorVersion?.name);
  const [old, now] = [before && version(before), version(after)];
  const { planName: plan, uid = '' } = before?.planExecution ?? {};
  return {
    name: { namespace, name: instance },
    ...(before && {
      before: { operatorVersion: before.operatorVersion ?? {}, parameters: before.parameters ?? {} },
    }),
    after,
    deleting: false,
    versions: { ...(old && { before: old }), ...(now && { after: now }) },
    ...(plan && { running: { plan, uid, yields: false } }),
    request: requestOf(before, after),
  };
}

/** What the write asks for: another name, or another uid, than stood there before. */
function requestOf(before: InstanceSpec | undefined, after: InstanceSpec): PlanRequest {
  const [old, now] = [before?.planExecution ?? {}, after.planExecution ?? {}];
  if (!now.planName) return old.planName ? { is: 'cancel' } : { is: 'none' };
  if (old.planName === now.planName && old.uid === now.uid) return { is: 'none' };
  return { is: 'run', plan: now.planName, override: false };
}

interface Compared {
  readonly differs: Differs | undefined;
  readonly detail: string;
}

function compare({ expected }: Step, verdict: Verdict): Compared {
  const detail = `recorded: ${JSON.stringify(expected)}\nours: ${JSON.stringify(verdict)}`;
  return { differs: difference(expected, verdict), detail };
}

function difference(expected: Step['expected'], verdict: Verdict): Differs | undefined {
  switch (verdict.is) {
    case 'refused':
      if (expected.refused === undefined) throw new Error(`refused only here: ${verdict.message}`);
      return isSaid(expected.refused, verdict) ? undefined : 'words';
    case 'waits':
      expect(expected.refused).toMatch(/is scheduled|scheduled \(or running\)/);
      return 'waits';
    case 'cancel':
      expect(expected.refused).toMatch(/^.*: cancelling currently scheduled/);
      return 'cancels';
    case 'nothing':
      expect(expected.refused).toBeUndefined();
      return expected.plan === undefined ? undefined : 'nothing to do';
    case 'start':
      expect(verdict.plan).toBe(expected.plan);
      return JSON.stringify(sorted(verdict.accepted.parameters)) === JSON.stringify(sorted(expected.parameters ?? {}))
        ? undefined
        : 'values';
    default:
      return verdict satisfies never;
  }
}

/** Word for word; ours goes on with the way out. */
function isSaid(recorded: string, { reason, message }: Extract<Verdict, { is: 'refused' }>): boolean {
  if (!('wayOut' in rules[reason])) return message === recorded;
  return message.startsWith(`${recorded}: `);
}

function sorted(values: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
}
