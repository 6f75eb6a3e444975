import { remove } from '../in-the-way.ts';
import type { BlueGreenCase } from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { nameTakenText } from './name-taken.ts';
import type { Side } from './side.ts';

/** A deletion that takes longer than this is warned of: a finalizer may be stuck. */
const longMs = 120_000;

/** A side is on its way out, or its name is somebody else's: nothing can be made until it is free (seed 003, "Deletion Fails"). */
export function leaving(c: BlueGreenCase, side: Side): BlueGreenStep {
  if (side.stranger) {
    const because = nameTakenText(side.stranger);
    return wait(c, because, { error: because, stands: { is: 'waiting', reason: 'NameTaken' } });
  }
  const since = side.seen?.terminatingSince ?? c.now;
  const late = since + longMs;
  if (c.now < late) {
    return wait(c, `The previous ${side.name} is still being deleted.`, {
      wakeAt: late,
      stands: { is: 'waiting', reason: 'SideLeaving' },
    });
  }
  const holders = side.seen?.finalizers.join(', ') || 'nothing that is known';
  const because = `The previous ${side.name} has been in deletion for more than ${longMs / 60_000} minutes; it waits for ${holders}. Nothing is made before it is gone.`;
  return wait(c, because, { error: because, stands: { is: 'waiting', reason: 'SideLeaving' } });
}

/** Does what is to be done once the name of y is free. */
export function cleared(c: BlueGreenCase, then: () => BlueGreenStep): BlueGreenStep {
  const { y } = c;
  if (y.is === 'absent') return then();
  if (y.is === 'leaving' || y.is === 'taken' || !y.seen) return leaving(c, y);
  return wait(c, `${y.name} is deleted, to be made again.`, { effects: [remove(y.seen.ref)] });
}
