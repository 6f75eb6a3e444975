import type { Verb } from '../../../portrait/verb.ts';
import { pause, restart, resume, retry, suspend } from './job-verbs.ts';
import { abort, promote, rollback } from './traffic-verbs.ts';
import type { Asked } from './verb.ts';

/** What can be done to a blue/green deployment. */
export function blueGreenVerbs(asked: Asked): readonly Verb[] {
  return [promote, abort, rollback, pause, resume, restart, retry, suspend].map((verb) => verb(asked));
}
