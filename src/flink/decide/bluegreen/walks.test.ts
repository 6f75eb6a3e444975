import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeTo, isSuspended, other, specIn } from './blue-green-case.ts';
import { play } from './play.fixture.ts';
import { Story, serving } from './story.fixture.ts';
import { configured, edited, ingressed, stateful, viewOf } from './view.fixture.ts';
import { walks } from './walks.fixture.ts';

const spec = edited(stateful, ingressed('/{{name}}'), configured({ 'deployment-deletion.delay': '5 s' }));
const careful = configured({
  'unhealthy.policy': 'last-checkpoint',
  'rollback-window': '1 h',
  'abort.action': 'delete',
});

/** What a person must do something about. */
const stalled = new Set(['ValidationError', 'TransitionAborted', 'ServingDeleted', 'StateUnknown']);

/** The edit waits for a person, and that is said. */
function isStated({ status, view, condition }: Story): boolean {
  if (stalled.has(condition('Stalled')?.reason ?? '')) return true;
  if (condition('Reconciling')?.reason === 'ServingNotReady') return true;
  // Suspended: there is no side that it could be applied to.
  const color = status.serving?.color;
  return isSuspended(view.resource.spec) && (!color || !view.sides[color]);
}

describe('whatever happens, in whatever order', () => {
  it.each<[string, () => Story]>([
    ['from the very beginning', () => new Story(viewOf(spec))],
    ['from blue', () => serving('BLUE', spec)],
    ['from green, with all that is off by default', () => serving('GREEN', edited(spec, careful))],
  ])('no edit is lost %s: when all is well again, what is wanted is true, or it is said why not', (_, given) => {
    fc.assert(
      fc.property(walks, (walk) => {
        const story = given();
        for (const { to } of walk) to(story);
        story.annotate({}).edit(configured({ promotion: 'automatic' }));
        play(story, { heals: true });
        if (isStated(story)) return;
        const { status, view } = story;
        const color = status.serving?.color ?? 'BLUE';
        expect(story.state).toBe(`ACTIVE_${color}`);
        expect(changeTo(view.resource.spec, specIn(status.lastReconciledSpec), status).type).toBe('IGNORE');
        expect(view.sides[other(color)]).toBeUndefined();
        expect(story.side(color).spec.image).toBe(view.resource.spec.template?.spec?.image);
        expect(view.ingress?.backends).toEqual([`counter-${color.toLowerCase()}-rest`]);
        expect(story.jobState).toBe(isSuspended(view.resource.spec) ? 'SUSPENDED' : 'RUNNING');
      }),
      { numRuns: 60 },
    );
  });
});
