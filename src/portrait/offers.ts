import type { AnyObject } from '../kube/object.ts';
import type { Offer } from './wire.ts';
import type { Around, Workload } from './workload.ts';

/** Asking does nothing, so the name of what would be made does not matter. */
const nobody = 'offer';

/**
 * What could be done to an object now, and why the rest cannot: every verb of its kind is asked. `program` is what people
 * type in front of a command: `cutover`, or `kubectl cutover`.
 */
export function offers(
  workload: Pick<Workload, 'type' | 'verbs' | 'summarize'>,
  object: AnyObject,
  around: Around,
  program = 'cutover',
): readonly Offer[] {
  const subject = subjectWords(workload, object);
  return workload.verbs.map((verb): Offer => {
    const { name, summary } = verb;
    const offer = { verb: name, summary, command: `${program} ${name} ${subject}` };
    const steering = verb.request(object, around, { id: nobody });
    if (steering.is === 'refused') return { ...offer, whyNot: steering.why };
    return { ...offer, ...(steering.stake && { stake: steering.stake }) };
  });
}

/** What needs no quotes in a shell. */
const plain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$/;

/** As people call it, and with its namespace: whoever copies it may be somewhere else. */
function subjectWords({ type, summarize }: Pick<Workload, 'type' | 'summarize'>, object: AnyObject): string {
  const { namespace = 'default', name = '' } = object.metadata;
  const { title } = summarize(object).subject;
  return `${type.kind}/${title !== undefined && plain.test(title) ? title : name} -n ${namespace}`;
}
