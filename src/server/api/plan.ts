import { z } from 'zod';
import { type Answer, type Asked, json } from '../http/asked.ts';
import type { Session } from '../login/session.ts';
import { bodyOf } from './body-of.ts';
import { type Desk, seen } from './desk.ts';
import { kubeRefusal } from './kube-refusal.ts';
import { patchIn } from './patch-in.ts';

const body = z.object({ patch: z.string() });

/**
 * What would happen if a workload were changed so. The cluster is asked what would be stored, in the person's own name and
 * without storing it: so defaults, validation, webhooks and their rights count as they would.
 */
export async function plan(desk: Desk, session: Session, asked: Asked): Promise<Answer> {
  const { entry, around } = await seen(desk, session, asked.query.get('id'));
  const patch = patchIn((await bodyOf(asked, body)).patch);
  const { workload, summary } = entry;
  const { namespace, name } = summary.subject;
  const resource = session.client().resource(workload.type);
  const what = `change ${workload.type.kind} ${name}`;
  try {
    const before = await resource.get({ namespace, name }, { signal: asked.left });
    const options = { dryRun: true, fieldValidation: 'Strict', signal: asked.left } as const;
    const after = await resource.patch({ namespace, name }, { type: 'merge', body: patch }, options);
    return json(await desk.turns.take(() => workload.plan({ before, after }, around), asked.left));
  } catch (error) {
    throw kubeRefusal(error, what);
  }
}
