import type { AnyObject } from '../kube/object.ts';
import type { Verb } from './verb.ts';
import type { Offer } from './wire.ts';
import type { Around, Workload } from './workload.ts';

/** Asking does nothing, so the name of what would be made does not matter. */
const nobody = 'offer';

/**
 * What could be done to an object now, and why the rest cannot: every verb of its kind is asked. `program` is what people
 * type in front of a command: `cutover`, or `kubectl cutover`.
 */
export function offers(
  workload: Pick<Workload, 'type' | 'verbs'>,
  object: AnyObject,
  around: Around,
  program = 'cutover',
): readonly Offer[] {
  return workload.verbs.map((verb): Offer => {
    const { name, summary } = verb;
    const offer = { verb: name, summary, command: commandOf(workload, object, verb, program) };
    const steering = verb.request(object, around, { id: nobody });
    if (steering.is === 'refused') return { ...offer, whyNot: steering.why };
    return { ...offer, ...(steering.stake && { stake: steering.stake }) };
  });
}

/** With its namespace: whoever copies it may be somewhere else. */
function commandOf({ type }: Pick<Workload, 'type'>, { metadata }: AnyObject, verb: Verb, program: string): string {
  const { namespace = 'default', name = '' } = metadata;
  return `${program} ${verb.name} ${type.kind}/${name} -n ${namespace}`;
}
