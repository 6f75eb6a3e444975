import { describe, expect, it } from 'vitest';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { annotations } from './annotations.ts';
import { draining, keeping, starting } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { type Story, serving } from './story.fixture.ts';
import { configured, type Edit, edited, image, ingressed, stateful } from './view.fixture.ts';

const manual = configured({ promotion: 'manual' });
const held = configured({ 'promotion.hold': '30 s' });
const routed = ingressed('/{{name}}');

/** y is ready. */
function ready(x: Color, ...edits: readonly Edit[]): Story {
  const story = starting(x, edited(stateful, routed, ...edits));
  story.becomes(story.y, 'ready').settle();
  return story;
}

const id = ({ status }: Story) => status.transition?.id ?? '';
const word = (color: Color) => `counter-${color.toLowerCase()}`;

describe.each(colors)('promotion by hand, from %s', (x) => {
  it('waits for a person, and says for which word', () => {
    const story = ready(x, manual);
    expect([story.state, story.phase]).toEqual([`TRANSITIONING_TO_${story.y}`, 'verifying']);
    expect(story.condition('Reconciling')).toMatchObject({
      reason: 'AwaitsPromotion',
      message: expect.stringContaining(`${annotations.promote}=${id(story)}`),
    });
    expect(story.status.serving?.color).toBe(x);
    expect(story.view.ingress?.backends).toEqual([`${word(x)}-rest`]);
    story.passes(86_400_000).settle();
    expect(story.phase).toBe('verifying');
  });

  it('goes on when the annotation names this transition, and not when it names another', () => {
    const story = ready(x, manual).annotate({ [annotations.promote]: 'uid-1-1' });
    story.settle();
    expect(story.phase).toBe('verifying');
    story.annotate({ [annotations.promote]: id(story) });
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
  });

  it('goes on when promotion becomes automatic', () => {
    const story = ready(x, manual).edit(configured({ promotion: 'automatic' }));
    play(story);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });

  it('does not count for a y that is not ready any more, which may be given up', () => {
    const story = ready(x, manual);
    story.becomes(story.y, 'failing').settle();
    expect(story.phase).toBe('starting');
    expect(story.status.abortTimestamp).toBe('2026-01-01T00:10:00.000Z');
    story.annotate({ [annotations.promote]: id(story) }).settle();
    expect(story.view.ingress?.backends).toEqual([`${word(x)}-rest`]);
    story.passes(600_000).settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
  });

  it('can be given up instead', () => {
    const story = ready(x, manual);
    story.annotate({ [annotations.rollback]: id(story) }).settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.side(story.y).terminating).toBe(true);
    play(story);
    expect(story.view.sides[story.y]).toBeUndefined();
    expect(story.state).toBe(`ACTIVE_${x}`);
    play(story.edit(image('app:3')));
    expect([story.state, story.phase]).toEqual([`TRANSITIONING_TO_${story.y}`, 'verifying']);
  });
});

describe.each(colors)('a hold, from %s', (x) => {
  it('lasts from the readiness of y, and says until when', () => {
    const story = ready(x, held);
    expect(story.phase).toBe('verifying');
    expect(story.condition('Reconciling')?.message).toContain('2026-01-01T00:00:30.000Z');
    const { wakeAt } = story.passes(29_999).settle();
    expect([story.phase, wakeAt]).toEqual(['verifying', story.view.now + 1]);
    story.passes(1).settle();
    expect(story.view.ingress?.backends).toEqual([`${word(story.y)}-rest`]);
  });

  it('begins anew when y was not ready for a moment', () => {
    const story = ready(x, held).passes(20_000);
    story.becomes(story.y, 'settling').settle();
    story.passes(1_000).becomes(story.y, 'ready').settle();
    story.passes(29_999).settle();
    expect(story.phase).toBe('verifying');
    story.passes(1).settle();
    expect(story.status.serving?.color).toBe(story.y);
  });

  it('is over when a person says so', () => {
    const story = ready(x, held);
    story.annotate({ [annotations.promote]: id(story) }).settle();
    expect(story.status.serving?.color).toBe(story.y);
  });
});

describe.each(colors)('the rollback window, from %s', (x) => {
  it('keeps x after the deletion delay, and tells how to switch back', () => {
    const story = keeping(x);
    expect([story.state, story.phase]).toEqual([`TRANSITIONING_TO_${story.y}`, 'keeping']);
    expect(story.condition('Ready')?.message).toContain(`${annotations.rollback}=${id(story)}`);
    const { wakeAt = 0 } = story.passes(3_599_999).settle();
    expect([story.side(x).terminating, wakeAt - story.view.now]).toEqual([false, 1]);
    story.passes(1).settle();
    expect(story.side(x).terminating).toBe(true);
    story.gone(x).settle();
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });

  it('lets one annotation switch back: traffic first, then y goes', () => {
    const story = keeping(x, edited(stateful, routed));
    story.annotate({ [annotations.rollback]: id(story) }).look();
    expect(story.view.ingress?.backends).toEqual([`${word(x)}-rest`]);
    expect(story.side(story.y).terminating).toBe(false);
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.side(story.y).terminating).toBe(true);
    expect(story.side(x).spec.image).toBe('app:1');
    expect(story.status.history?.[0]?.outcome).toBe('rolled-back');
    play(story);
    expect(story.done()).not.toContain(`delete ${word(x)}`);
  });

  it('does not delete an x that was asked for while it is not ready: it waits for it', () => {
    const story = keeping(x).becomes(x, 'failing');
    story
      .annotate({ [annotations.rollback]: id(story) })
      .passes(7_200_000)
      .settle();
    expect(story.side(x).terminating).toBe(false);
    expect(story.condition('Reconciling')?.reason).toBe('RollbackWaits');
    expect(story.status.serving?.color).toBe(story.y);
    story.becomes(x, 'ready').settle();
    expect(story.status.serving?.color).toBe(x);
  });

  it('begins anew when y was not ready for a moment', () => {
    const story = keeping(x).passes(3_000_000);
    story.becomes(story.y, 'settling').settle();
    story.becomes(story.y, 'ready').settle();
    story.passes(3_599_999).settle();
    expect(story.side(x).terminating).toBe(false);
    story.passes(1).settle();
    expect(story.side(x).terminating).toBe(true);
  });

  it('is also a way back when the template is put back', () => {
    const story = keeping(x).edit(image('app:1'));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.view.sides[story.y]).toBeUndefined();
  });

  it('ends when it is taken out of the configuration', () => {
    const story = keeping(x).edit(configured({ 'rollback-window': '0 s' }));
    story.settle();
    expect(story.side(x).terminating).toBe(true);
  });

  it('is not there without being asked for', () => {
    const story = draining(x).passes(5_000);
    story.settle();
    expect(story.side(x).terminating).toBe(true);
  });
});

it('does not act on annotations of a transition that is over', () => {
  const story = serving('BLUE', stateful).annotate({
    [annotations.rollback]: 'uid-1-2',
    [annotations.promote]: 'uid-1-2',
  });
  const before = story.view;
  story.settle();
  expect(story.view).toEqual(before);
});
