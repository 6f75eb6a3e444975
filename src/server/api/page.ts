import type { Drawn } from '../fleet/pages.ts';
import type { Session } from '../login/session.ts';
import { type Desk, seen } from './desk.ts';
import { offersFor } from './offers-for.ts';

/** A page for one person: what all see alike, and what this one could do. */
export interface PersonalPage {
  readonly drawn: Drawn;
  /** The offers, serialised. */
  readonly offers: string;
}

/** @throws Refusal 404, 401, 503, 500 */
export async function pageFor(desk: Desk, session: Session, id: string | null): Promise<PersonalPage> {
  const { entry, object, sight, around } = await seen(desk, session, id);
  const { readOnly, program } = desk;
  const { workload } = entry;
  const offers = await offersFor({ workload, object, around, access: session.access, readOnly, program });
  return { drawn: desk.pages.draw(entry, sight), offers: JSON.stringify(offers) };
}

/** The JSON of a `Page`. */
export function pageJson({ drawn, offers }: PersonalPage): string {
  return `{${drawn.json},"offers":${offers}}`;
}
