import { instantText } from '../instant-text.ts';
import { warned } from '../reasons.ts';
import { annotations } from './annotations.ts';
import type { Moving } from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { lacking, moved, movingTraffic } from './record.ts';
import { isReady } from './side.ts';
import { deadline, word } from './target.ts';
import { hasTraffic, isKept } from './traffic.ts';

/** Traffic is to return to x, which is ready. */
export function toReturn(c: Moving, why: string): BlueGreenStep {
  const because = `Traffic returns to ${word(c.x.color)}. ${why}`;
  const status = movingTraffic(c, c.status, 'returning');
  return { status, effects: [warned(c.resource, 'TrafficReturned', because)], because, again: true };
}

/**
 * Brings traffic back to x. If its deletion was decided, a request to delete it may still be on its way: the mark on x
 * changes its version, so that this request fails, and only an x that is seen with the mark gets traffic.
 */
export function returned(c: Moving): BlueGreenStep {
  const { x, y, status } = c;
  const { retire, moveId } = status.transition;
  if (moveId === undefined) {
    return {
      status: movingTraffic(c, status, 'returning'),
      because: `Traffic returns to ${word(x.color)}.`,
      again: true,
    };
  }
  if (!isReady(x) && isReady(y)) {
    return {
      status: movingTraffic(c, status, 'switching'),
      because: `${word(x.color)} is not ready any more: traffic stays.`,
      again: true,
    };
  }
  if (retire && !isKept(x, moveId)) return marked(c);
  if (!hasTraffic(c, x.color)) return wait(c, `Traffic returns to ${word(x.color)}.`, { status: withServing(c) });
  const stopped = lacking(withServing(c), 'trafficAt', 'readyAt', 'retire');
  const next = moved(c, stopped, 'starting', { deadline: status.transition.deadline ?? deadline(c) });
  return { status: next, because: `Traffic is at ${word(x.color)} again.`, again: true };
}

function marked(c: Moving): BlueGreenStep {
  const { x, status } = c;
  if (!x.seen) return wait(c, `${x.name} is gone.`);
  const { annotations: noted, ref } = x.seen;
  const { moveId: value = '' } = status.transition;
  const path = `/metadata/annotations/${annotations.kept.replaceAll('/', '~1')}`;
  const patch =
    Object.keys(noted).length === 0
      ? ({ op: 'add', path: '/metadata/annotations', value: { [annotations.kept]: value } } as const)
      : ({ op: 'add', path, value } as const);
  return wait(c, `${x.name} is kept.`, { effects: [{ do: 'patch', of: ref, patch: [patch] }] });
}

function withServing(c: Moving): Moving['status'] {
  const { x, now, status } = c;
  if (status.serving?.color === x.color) return status;
  const uid = x.seen?.ref.uid;
  return {
    ...status,
    serving: { color: x.color, name: x.name, ...(uid !== undefined && { uid }), since: instantText(now) },
  };
}
