import type { VerbName } from '../../portrait/verb.ts';
import type { Read } from './instance-in.ts';

/** What to type: `cutover retry Instance/ledger -n default`. With its namespace: whoever copies it may be somewhere else. */
export function commandOf(verb: VerbName, { kind, metadata }: Read): string {
  const { namespace = 'default', name = '' } = metadata;
  return `cutover ${verb} ${kind}/${name} -n ${namespace}`;
}

/** What to type to set values: `cutover kudo update --instance ledger -p A=… -n default`. */
export function updateOf(parameters: readonly string[], { metadata }: Read): string {
  const { namespace = 'default', name = '' } = metadata;
  const values = parameters.map((parameter) => ` -p ${parameter}=…`).join('');
  return `cutover kudo update --instance ${name}${values} -n ${namespace}`;
}
