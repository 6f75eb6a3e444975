import { equal } from '../../../change/equal.ts';
import type { SideSeen } from '../../blue-green-view.ts';
import { colors } from '../../resources/blue-green-transition.ts';
import type { Story } from './story.fixture.ts';

/** How a story goes on by itself. */
export interface Course {
  /** The operator dies in its so manyth look, before the so manyth action of it. */
  readonly crash?: { readonly look: number; readonly action: number };
  /** Whatever is wrong with a side passes. */
  readonly heals?: boolean;
  /** Called after every look. */
  readonly watch?: (story: Story) => void;
}

const mostLooks = 60;

/**
 * Goes on until nothing happens any more: sides come up and go as they are told, savepoints complete, and where there is
 * nothing else to do time passes. Returns how many actions each look had.
 */
export function play(story: Story, { crash, heals = false, watch }: Course = {}): readonly number[] {
  const looks: number[] = [];
  while (looks.length < mostLooks) {
    const before = story.view;
    const { actions, wakeAt } = story.look(crash?.look === looks.length ? crash.action : undefined);
    looks.push(actions.length);
    watch?.(story);
    moves(story, heals);
    if (!equal(before, story.view) || crash?.look === looks.length - 1) continue;
    if (wakeAt === undefined) return looks;
    story.passes(Math.max(1, wakeAt - story.view.now));
  }
  throw new Error(`does not come to rest: ${story.state} ${story.phase}: ${JSON.stringify(story.status)}`);
}

/** What others do in the meantime. */
function moves(story: Story, heals: boolean): void {
  for (const color of colors) {
    const side = story.view.sides[color];
    if (!side) continue;
    if (side.terminating) story.gone(color);
    else if (isUnderWay(side) || (heals && isIll(side))) {
      story.becomes(color, side.spec.job?.state === 'suspended' ? 'suspended' : 'ready');
    }
  }
  const snapshots = story.view.snapshots.map((snapshot, index) =>
    snapshot.status ? snapshot : { ...snapshot, status: { state: 'COMPLETED' as const, path: `s3://sp/${index + 1}` } },
  );
  if (snapshots.some((one, index) => one !== story.view.snapshots[index])) story.now({ snapshots });
}

function isUnderWay({ status, generation }: SideSeen): boolean {
  const { observedGeneration = 0, jobManagerDeploymentStatus: manager } = status;
  return observedGeneration < generation || manager === undefined || manager === 'DEPLOYING';
}

function isIll({ spec, status }: SideSeen): boolean {
  return spec.job?.state !== 'suspended' && status.lifecycleState !== 'STABLE';
}
