import type { FieldChange } from '../../portrait/plan.ts';
import type { Cause } from '../../portrait/portrait.ts';
import type { Execution } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { becauseOf } from './because.ts';
import type { Read } from './instance-in.ts';
import { demandOf } from './made-changes.ts';
import { shownValues } from './values.ts';
import { timeIn } from './wording.ts';

/**
 * What is being changed, or was changed last. What values were before is not kept, nor which ones an Instance was made with:
 * so nothing is said of it, not even where it may have been the default.
 */
export function causeOf({ metadata, status }: Read, version: OperatorVersion | undefined): Cause | undefined {
  const begun = status.execution ?? status.history?.[0];
  if (!begun) return undefined;
  const since = timeIn(begun.startedAt);
  const { generation } = metadata;
  return {
    kind: begun.cause,
    because: becauseOf(begun),
    changes: changesOf(begun, status.accepted?.parameters ?? {}, version),
    ...(status.execution && generation !== undefined && { generation }),
    ...(since !== undefined && { since }),
  };
}

function changesOf(
  { changed = [] }: Pick<Execution, 'changed'>,
  values: Readonly<Record<string, string>>,
  version: OperatorVersion | undefined,
): readonly FieldChange[] {
  const shown = shownValues(version);
  return changed.map((name): FieldChange => {
    const to = shown.text(name, values);
    return {
      path: `spec.parameters.${name}`,
      ...(to !== undefined && { to }),
      demands: demandOf(name, version),
    };
  });
}
