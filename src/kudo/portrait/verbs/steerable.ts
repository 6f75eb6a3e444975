import { commandOf } from '../command.ts';
import type { Read } from '../instance-in.ts';
import { situationOf } from '../situation.ts';
import { brief } from '../wording.ts';

/** Why nothing at all can be done to an Instance now; `undefined` when something can. */
export function whyNot(read: Read): string | undefined {
  const situation = situationOf(read);
  const { name = '' } = read.metadata;
  switch (situation.is) {
    case 'deleting':
      return `Instance ${name} is being deleted: no plan but cleanup runs any more`;
    case 'aside':
      return situation.paused
        ? `Instance ${name} is paused, and the operator would do nothing: run \`${commandOf('resume', read)}\` first`
        : brief(situation.message);
    case 'unseen':
      return `the operator has not looked at Instance ${name} yet`;
    default:
      return undefined;
  }
}
