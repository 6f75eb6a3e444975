import { isObject } from '../../../change/equal.ts';
import type { Json } from '../../../kube/object.ts';
import type { PatchOperation, Steering, Verb } from '../../../portrait/verb.ts';
import { refusalOf } from '../../health/instance-health.ts';
import { commandOf, updateOf } from '../command.ts';
import { lastEnded } from '../ended.ts';
import { instanceIn, type Read } from '../instance-in.ts';
import { madeChanges } from '../made-changes.ts';
import { waitingOf } from '../situation.ts';
import { names } from '../wording.ts';
import { patchOf } from './patch-of.ts';

/**
 * Takes back what stands in the spec and was not accepted: a change that waits, or is refused. What was accepted once has
 * taken the place of what was before, and nobody keeps that: then it is said what to type.
 */
export const rollback: Verb = {
  name: 'rollback',
  summary: 'take back a change that waits or is refused',
  request(object) {
    const read = instanceIn(object);
    if (read.metadata.deletionTimestamp !== undefined) return { is: 'refused', why: 'it is being deleted' };
    const { accepted } = read.status;
    if (!accepted) return { is: 'refused', why: 'nothing of it was ever accepted: correct its spec, or delete it' };
    const namespace = read.metadata.namespace ?? 'default';
    const pending = madeChanges(accepted, read.spec, { namespace, versions: {} });
    // What differs otherwise are defaults that the operator is about to write into the spec.
    const open = waitingOf(read) !== undefined || refusalOf(read) !== undefined;
    if (!open || pending.length === 0) return { is: 'refused', why: former(read) };
    const spec = isObject(object.spec) ? object.spec : {};
    const back = (name: 'operatorVersion' | 'parameters'): readonly PatchOperation[] => [
      ...(spec[name] === undefined ? [] : [{ op: 'test', path: `/spec/${name}`, value: spec[name] as Json } as const]),
      { op: 'add', path: `/spec/${name}`, value: { ...accepted[name] } },
    ];
    const fields = pending.map(({ path }) => path.replace(/^spec\.(?:parameters\.)?/, ''));
    return {
      is: 'writes',
      writes: [patchOf(read, [...back('operatorVersion'), ...back('parameters')])],
      said: `${names(fields)} ${fields.length === 1 ? 'is' : 'are'} as accepted before; no plan runs for it and no pod restarts`,
    } satisfies Steering;
  },
};

/** Why what was before is not known any more, and what to do. */
function former(read: Read): string {
  const last = read.status.execution ?? lastEnded(read.status);
  const changed = last?.changed ?? [];
  const stop = read.status.execution ? `end the plan with \`${commandOf('abort', read)}\`, then ` : '';
  if (last?.cause === 'upgrade') {
    return `which version it had before is not kept: ${stop}name it with \`cutover kudo upgrade\`, or in spec.operatorVersion.name`;
  }
  if (changed.length === 0) return 'no parameters were changed last: there is nothing to go back to';
  const those = changed.length > 1 ? 'these' : 'this';
  return `the former ${changed.length > 1 ? 'values' : 'value'} of ${names(changed)} ${changed.length > 1 ? 'are' : 'is'} not kept: ${stop}set ${those} with \`${updateOf(changed, read)}\``;
}
