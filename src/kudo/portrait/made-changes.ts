import type { FieldChange } from '../../portrait/plan.ts';
import { isSameVersion } from '../decide/admit/reference.ts';
import { own } from '../graph/own.ts';
import { definitionsOf } from '../parameters/definitions.ts';
import { isForced } from '../parameters/is-forced.ts';
import type { InstanceSpec } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import type { Read } from './instance-in.ts';
import { shownValues } from './values.ts';

/** What an Instance is made with: a version and values. */
type Made = Pick<InstanceSpec, 'operatorVersion' | 'parameters'>;

/** Those of `from` and of `to`; absent: nobody knows them. */
interface Versions {
  readonly before?: OperatorVersion | undefined;
  readonly after?: OperatorVersion | undefined;
}

/** In what two specifications differ, and what each difference demands. */
export function madeChanges(
  from: Made | undefined,
  to: Made,
  { namespace, versions }: { readonly namespace: string; readonly versions: Versions },
): readonly FieldChange[] {
  const [before, after] = [from?.parameters ?? {}, to.parameters ?? {}];
  const [old, next] = [shownValues(versions.before ?? versions.after), shownValues(versions.after)];
  const changes: FieldChange[] = [];
  if (!isSameVersion(from?.operatorVersion, to.operatorVersion, namespace)) {
    const [is, was] = [to.operatorVersion?.name, from?.operatorVersion?.name];
    const demands = from ? 'upgrade' : 'install';
    changes.push({ path: 'spec.operatorVersion', ...(was && { from: was }), ...(is && { to: is }), demands });
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  for (const name of names) {
    if (own(before, name) === own(after, name)) continue;
    const [was, is] = [from && old.text(name, before), next.text(name, after)];
    changes.push({
      path: `spec.parameters.${name}`,
      ...(was !== undefined && { from: was }),
      ...(is !== undefined && { to: is }),
      demands: from ? demandOf(name, versions.after) : 'install',
    });
  }
  return changes;
}

/** What stands in the spec and is not accepted: it waits, or is refused. */
export function pendingChanges({ metadata, spec, status }: Read, versions: Versions): readonly FieldChange[] {
  if (!status.accepted) return [];
  return madeChanges(status.accepted, spec, { namespace: metadata.namespace ?? 'default', versions });
}

/** `restart`, or `no restart`; with the plan that it runs, if that is not the usual one. */
export function demandOf(name: string, version: OperatorVersion | undefined): string {
  if (!version) return 'unknown';
  const restart = isForced([name], version) ? 'restart' : 'no restart';
  const trigger = definitionsOf(version).get(name)?.trigger;
  return trigger ? `plan ${trigger}, ${restart}` : restart;
}
