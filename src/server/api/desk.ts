import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Log } from '../../control/log.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Around } from '../../portrait/workload.ts';
import { type Sight, sightOf } from '../access/sight.ts';
import type { Entry, Fleet } from '../fleet/fleet.ts';
import type { Pages } from '../fleet/pages.ts';
import { noSuchWorkload } from '../http/refusal.ts';
import type { Session } from '../login/session.ts';
import type { Turns } from './turns.ts';

/** What answers are made of. */
export interface Desk {
  readonly fleet: Fleet;
  readonly pages: Pages;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** For what people ask for and may take long. */
  readonly turns: Turns;
  readonly readOnly: boolean;
  /** What people type in front of a command: `cutover`. */
  readonly program: string;
}

/** A workload that a person may see, and all that they see around it. */
export interface Seen {
  readonly entry: Entry;
  readonly object: AnyObject;
  readonly sight: Sight;
  readonly around: Around;
}

/** Finds what a person asks for. @throws Refusal 404 alike when there is none and when they may not see it; 401, 503 */
export async function seen({ fleet, pages }: Desk, { access }: Session, id: string | null): Promise<Seen> {
  const entry = fleet.get(id ?? '');
  if (!entry) throw noSuchWorkload();
  const { workload, namespace } = entry;
  if (!(await access.may({ verb: 'list', type: workload.type, namespace }))) throw noSuchWorkload();
  const sight = await sightOf(access, workload, namespace);
  const object = fleet.objectOf(entry);
  if (!object) throw noSuchWorkload();
  return { entry, object, sight, around: pages.around(entry, sight) };
}
