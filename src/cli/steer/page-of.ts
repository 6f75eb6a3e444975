import type { Client } from '../../kube/client.ts';
import type { AnyObject } from '../../kube/object.ts';
import { eventLines } from '../../portrait/event-lines.ts';
import { offers } from '../../portrait/offers.ts';
import type { Page } from '../../portrait/wire.ts';
import type { Around, Workload } from '../../portrait/workload.ts';
import type { Found } from './find-subject.ts';
import { answered, besideOf, eventsOf } from './gather.ts';

/** The page of an object from what was read around it. */
export function pageFrom(
  workload: Workload,
  object: AnyObject,
  {
    around,
    events,
    program,
  }: { readonly around: Around; readonly events: readonly AnyObject[]; readonly program: string },
): Page {
  const portrait = workload.portray(object, around);
  return { portrait, events: eventLines(events, { portrait }), offers: offers(workload, object, around, program) };
}

/** As `pageFrom`; everything is read now. */
export async function pageOf(
  client: Client,
  { workload, object }: Found,
  { now, program }: { readonly now: number; readonly program: string },
): Promise<Page> {
  const namespace = object.metadata.namespace ?? 'default';
  const [beside, events] = await Promise.all([besideOf(client, workload, namespace), eventsOf(client, namespace)]);
  return answered(client, { namespace, beside, now }, (around) =>
    pageFrom(workload, object, { around, events, program }),
  );
}
