import type { Verb } from '../../../portrait/verb.ts';
import { abort } from './abort.ts';
import { pause, resume } from './pause.ts';
import { restart } from './restart.ts';
import { retry } from './retry.ts';
import { rollback } from './rollback.ts';

/** What can be done to an Instance, in the order of menus. */
export const instanceVerbs: readonly Verb[] = [abort, retry, restart, rollback, pause, resume];
