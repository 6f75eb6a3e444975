import { describe, expect, it } from 'vitest';
import { colors } from '../../resources/blue-green-transition.ts';
import { suspend } from './example.fixture.ts';
import { draining, savepointing, starting } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { type Story, serving } from './story.fixture.ts';
import { configured, edited, image, ingressed, stateful } from './view.fixture.ts';

/** No duration. */
const invalid = configured({ 'abort.grace-period': 'soon' });

const isRefused = (story: Story) => {
  expect(story.jobState).toBe('FAILING');
  expect(story.condition('Stalled')).toMatchObject({ status: 'True', reason: 'ValidationError' });
};

describe.each(colors)('an edit that is refused during a transition from %s', (x) => {
  it('does not end it while the savepoint is taken: the last accepted template is made', () => {
    const story = savepointing(x);
    const { transition } = story.status;
    story.edit(image('app:9'), invalid).settle();
    expect(story.state).toBe(`SAVEPOINTING_${x}`);
    expect(story.status.transition?.id).toBe(transition?.id);
    isRefused(story);
    story.completed().settle();
    expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
    expect(story.side(story.y).spec.image).toBe('app:2');
  });

  it('does not end it while y is being made again: that goes on to the last accepted template', () => {
    const story = starting(x).edit(image('app:3'));
    story.settle();
    expect(story.side(story.y).terminating).toBe(true);
    story.edit(image('app:9'), invalid).settle();
    expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
    isRefused(story);
    story.gone(story.y).settle();
    expect(story.side(story.y).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://sp/1' } });
  });

  it('does not take traffic back once it moved', () => {
    const routed = edited(stateful, ingressed('{{name}}.example.com'));
    const story = draining(x, routed).edit(ingressed('???'), image('app:9'), invalid);
    story.settle();
    expect(story.view.ingress?.backends).toEqual([`counter-${story.y.toLowerCase()}-rest`]);
    expect(story.phase).toBe('draining');
    isRefused(story);
  });

  it('is acted upon once it is mended', () => {
    const story = savepointing(x).edit(image('app:9'), invalid);
    story.settle();
    play(story.edit(configured({ 'abort.grace-period': '1 min' })));
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.side(story.y).spec.image).toBe('app:9');
    expect(story.status.error).toBeUndefined();
  });
});

it.each(colors)('an edit that is refused while %s is changed in place does not undo that change', (x) => {
  const story = serving(x, stateful).edit(suspend);
  story.look(1);
  story.edit(image('app:9'), invalid).settle();
  expect(story.side(x).spec).toMatchObject({ image: 'app:1', job: { state: 'suspended' } });
  expect(story.done()).toEqual([`patch counter-${x.toLowerCase()}`]);
  isRefused(story);
});
