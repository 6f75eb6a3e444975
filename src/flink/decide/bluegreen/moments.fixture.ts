import type { Color } from '../../resources/blue-green-transition.ts';
import type { Spec } from './blue-green-case.ts';
import { type Story, serving } from './story.fixture.ts';
import { configured, type Edit, edited, image, job, stateful, stateless } from './view.fixture.ts';

/** Moments of a transition from x, each reached as it is in life. What demands it is a new image. */

const delayed = configured({ 'deployment-deletion.delay': '5 s' });

/** A savepoint of x was asked for. */
export function savepointing(x: Color, spec: Spec = stateful): Story {
  const story = serving(x, spec).edit(image('app:2'));
  story.settle();
  return story;
}

/** y was made from a savepoint, and is not ready yet. */
export function starting(x: Color, spec: Spec = stateful): Story {
  const story = savepointing(x, spec).completed();
  story.settle();
  story.becomes(story.y, 'settling').settle();
  return story;
}

/** y was made without state, and is not ready yet. */
export function startingEmpty(x: Color, ...edits: readonly Edit[]): Story {
  const story = serving(x, edited(stateless, ...edits)).edit(image('app:2'));
  story.settle();
  story.becomes(story.y, 'settling').settle();
  return story;
}

/** Traffic is at y; x goes after five seconds. */
export function draining(x: Color, spec: Spec = stateful): Story {
  const story = starting(x, edited(spec, delayed));
  story.becomes(story.y, 'ready').settle();
  return story;
}

/** It is written that x is to be deleted, and nobody has asked for it yet. */
export function retiring(x: Color, spec: Spec = stateful): Story {
  const story = draining(x, spec).passes(5_000);
  story.look(1);
  return story;
}

/** x is kept for an hour. */
export function keeping(x: Color, spec: Spec = stateful): Story {
  const story = draining(x, edited(spec, configured({ 'rollback-window': '1 h' }))).passes(5_000);
  story.settle();
  return story;
}

/** y did not become ready in time. */
export function aborted(x: Color, ...edits: readonly Edit[]): Story {
  const story = starting(x, edited(stateful, ...edits)).passes(600_000);
  story.settle();
  return story;
}

/** x is suspended as the spec says. */
export function suspended(x: Color, spec: Spec = stateful): Story {
  const story = serving(x, spec).edit(job({ state: 'suspended' }));
  story.settle();
  story.becomes(x, 'suspended').settle();
  return story;
}

export const lastCheckpoint = configured({ 'unhealthy.policy': 'last-checkpoint' });

/** By policy, an unhealthy x was suspended for the sake of its last checkpoint. */
export function halted(x: Color): Story {
  const story = serving(x, edited(stateful, lastCheckpoint)).becomes(x, 'failing');
  story.edit(image('app:2')).settle();
  return story;
}
