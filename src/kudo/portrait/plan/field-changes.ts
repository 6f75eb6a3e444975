import { annotations, switchedOn } from '../../../control/annotations.ts';
import type { FieldChange } from '../../../portrait/plan.ts';
import type { Read } from '../instance-in.ts';
import { madeChanges } from '../made-changes.ts';
import type { Versions } from './foresee.ts';

/** In what an edit differs from what is there, field by field; `was` absent: it is to be created. */
export function fieldChanges(
  was: Read | undefined,
  read: Read,
  { accepted, wanted }: Versions,
): readonly FieldChange[] {
  const namespace = read.metadata.namespace ?? 'default';
  return [
    ...madeChanges(was?.spec, read.spec, { namespace, versions: { before: accepted, after: wanted } }),
    ...letterChange(was, read),
    ...settings.flatMap((name) => changed(`spec.${name}`, was?.spec[name], read.spec[name], 'setting')),
    ...changed(
      `metadata.annotations[${annotations.paused}]`,
      (was && switchedOn(was, annotations.paused)) || undefined,
      switchedOn(read, annotations.paused) || undefined,
      switchedOn(read, annotations.paused) ? 'pause' : 'resume',
    ),
  ];
}

const settings = ['retryLimit', 'planTimeoutSeconds', 'drift'] as const;

/** What is asked for through `spec.planExecution`. */
function letterChange(was: Read | undefined, read: Read): readonly FieldChange[] {
  // Whatever stands in the manifest of a new Instance is about another one.
  if (!was) return [];
  const [before, after] = [was.spec.planExecution ?? {}, read.spec.planExecution ?? {}];
  const [from, to] = [before.planName ?? '', after.planName ?? ''];
  const others = (['uid', 'override', 'restart'] as const).some((name) => before[name] !== after[name]);
  if (from === to && !others) return [];
  const demands = to === '' ? 'cancel' : 'trigger';
  return [{ path: 'spec.planExecution.planName', ...(from && { from }), ...(to && { to }), demands }];
}

function changed(path: string, from: unknown, to: unknown, demands: string): readonly FieldChange[] {
  if (from === to) return [];
  return [
    {
      path,
      ...(from !== undefined && { from: String(from) }),
      ...(to !== undefined && { to: String(to) }),
      demands,
    },
  ];
}
