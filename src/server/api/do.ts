import { z } from 'zod';
import { doWrites } from '../../portrait/do-writes.ts';
import { verbNames } from '../../portrait/verb.ts';
import { type Answer, type Asked, json } from '../http/asked.ts';
import { Refusal } from '../http/refusal.ts';
import type { Session } from '../login/session.ts';
import type { ServerMetrics } from '../server-metrics.ts';
import { bodyOf } from './body-of.ts';
import { type Desk, seen } from './desk.ts';
import { kubeRefusal } from './kube-refusal.ts';

const body = z.object({
  verb: z.enum(verbNames),
  wish: z.object({ stateless: z.boolean().optional(), force: z.boolean().optional() }).optional(),
});

/**
 * Does something to a workload, in the person's own name: the cluster decides whether they may. Every try is written to the
 * log, with who, what and what came of it.
 */
export async function doIt(desk: Desk, session: Session, asked: Asked, metrics: ServerMetrics): Promise<Answer> {
  const { entry, object, around } = await seen(desk, session, asked.query.get('id'));
  const { verb: name, wish } = await bodyOf(asked, body);
  const { user, id } = { user: session.who.name, id: entry.id };
  const audit = (outcome: string): void => {
    metrics.personActed(name, outcome === 'done' ? 'done' : 'refused');
    desk.log.info({ audit: true, user, verb: name, subject: id, wish, outcome }, 'a person acted by the dashboard');
  };
  if (desk.readOnly) {
    audit('refused: read-only');
    throw new Refusal(403, 'This dashboard only shows. Use the command.');
  }
  const { workload } = entry;
  const verb = workload.verbs.find((one) => one.name === name);
  if (!verb) throw new Refusal(422, `There is no ${name} for ${workload.type.kind}.`);
  const { stateless, force } = wish ?? {};
  const steering = verb.request(object, around, {
    id: desk.random.uuid(),
    ...(stateless !== undefined && { stateless }),
    ...(force !== undefined && { force }),
  });
  if (steering.is === 'refused') {
    audit('refused: not now');
    throw new Refusal(409, steering.why);
  }
  try {
    await doWrites(session.client(), steering.writes, 'cutover-dashboard');
  } catch (error) {
    const told = kubeRefusal(error, `${name} ${workload.type.kind} ${object.metadata.name ?? ''}`);
    audit(told instanceof Refusal ? `refused by the cluster: ${told.status}` : 'failed');
    throw told;
  }
  audit('done');
  return json({ said: steering.said });
}
