import { type Answer, type Asked, json } from '../http/asked.ts';
import { Refusal } from '../http/refusal.ts';
import type { Session } from '../login/session.ts';
import { type Desk, seen } from './desk.ts';

/** What depends on what, for kinds that know it. */
export async function graph(desk: Desk, session: Session, asked: Asked): Promise<Answer> {
  const { entry, object, around } = await seen(desk, session, asked.query.get('id'));
  const { workload } = entry;
  const { graph: draw } = workload;
  if (!draw) throw new Refusal(422, `Nothing is known of what depends on what in a ${workload.type.kind}.`);
  return json(await desk.turns.take(() => draw(object, around), asked.left));
}
