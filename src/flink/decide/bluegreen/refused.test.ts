import { describe, expect, it } from 'vitest';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { flinkDeploymentSpelling, spell, textOf } from '../../resources/java-spelling.ts';
import { fromMine, suspend } from './example.fixture.ts';
import { aborted, draining, keeping, retiring, savepointing, starting, suspended } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { Story, serving } from './story.fixture.ts';
import { configured, image, ingressed, patchable, stateful, viewOf } from './view.fixture.ts';

/** Without a unit nobody knows how long that is. */
const wrong = [image('app:9'), configured({ 'abort.grace-period': '10' })] as const;

/** The specs of the sides, by what they mean. */
const sides = ({ view }: Story) =>
  colors.map((color) => textOf(spell(view.sides[color]?.spec ?? {}, flinkDeploymentSpelling)));

const first = () => {
  const story = new Story(viewOf(stateful));
  story.settle();
  return story;
};

/** The operator died between the record of a change in place and the change. */
const half = (story: Story) => {
  story.look(1);
  expect(story.status.inPlace).toBeDefined();
  return story;
};

describe.each(colors)('an edit that is refused, from %s', (x: Color) => {
  it.each<[string, () => Story]>([
    ['of a first deployment', first],
    ['at rest', () => serving(x, stateful)],
    ['while x is suspended', () => suspended(x)],
    ['while a savepoint is taken', () => savepointing(x)],
    ['while y starts', () => starting(x)],
    ['while traffic moves', () => draining(x)],
    ['while x is kept', () => keeping(x)],
    ['while x is about to go', () => retiring(x)],
    ['after an abort', () => aborted(x)],
    ['while a savepoint is taken for a second edit', () => looked(savepointing(x).edit(image('app:3')))],
    ['while y is made again', () => looked(starting(x).edit(image('app:3')))],
    ['while y is made once more', () => looked(looked(starting(x).edit(image('app:3'))).edit(image('app:4')))],
    ['while what is left of a transition goes, for a nonce', () => looked(starting(x).edit(fromMine))],
    ['while an edit waits for x', () => looked(serving(x, stateful).becomes(x, 'failing').edit(image('app:2')))],
    ['after the Ingress changed', () => looked(serving(x, stateful).edit(ingressed('/{{name}}')))],
    ['while blue is changed in place', () => half(first().edit(image('app:2')))],
    ['while blue gets a nonce in place', () => half(first().edit(fromMine))],
    ['while x is patched', () => half(serving(x, stateful).edit(patchable('3')))],
    ['while x is suspended in place', () => half(serving(x, stateful).edit(suspend))],
    ['while y is patched', () => half(starting(x).edit(patchable('3')))],
    ['while x is patched after an abort', () => half(aborted(x).edit(patchable('3')))],
  ])('changes nothing %s: what was accepted goes on, and says so', (_, given) => {
    const [undisturbed, story] = [given(), given()];
    play(undisturbed);
    story.edit(...wrong);
    story.settle();
    expect(story.jobState).toBe('FAILING');
    expect(story.condition('Stalled')).toMatchObject({ reason: 'ValidationError' });
    play(story);
    expect(sides(story)).toEqual(sides(undisturbed));
    expect(story.view.ingress?.backends).toEqual(undisturbed.view.ingress?.backends);
    expect(story.condition('Promoted')?.status).toBe('False');
    expect(story.state).toBe(undisturbed.state);
    expect(story.status.nonces).toEqual(undisturbed.status.nonces);
    expect(story.status.lastReconciledSpec).toBe(undisturbed.status.lastReconciledSpec);
  });

  it('is not judged again once it has become true', () => {
    const story = serving(x, stateful);
    const { resource } = story.view;
    const metadata = { ...resource.metadata, name: 'counter' };
    const settings = { 'kubernetes.operator.ingress.manage': 'true' };
    story.now({ resource: { ...resource, metadata }, operator: { settings, logFiles: {} } }).settle();
    expect(story.condition('Stalled')).toBeUndefined();
  });

  it('is said once, and taken up when it is mended', () => {
    const story = serving(x, stateful).edit(configured({ 'abort.grace-period': '10' }), image('app:2'));
    story.events.length = 0;
    story.settle();
    story.passes(60_000).settle();
    expect(story.events).toEqual([expect.stringMatching(/^ValidationError: .*abort\.grace-period/)]);
    story.edit(configured({ 'abort.grace-period': '10 min' }));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
    expect(story.status.error).toBeUndefined();
  });
});

function looked(story: Story): Story {
  story.look();
  return story;
}

it('deploys nothing when the first spec is refused', () => {
  const story = new Story(viewOf({ template: { spec: { image: 'app:1' } } }));
  story.settle();
  expect(`${story.state} ${story.jobState}`).toBe('INITIALIZING_BLUE FAILING');
  expect(story.deeds.filter((deed) => deed.do !== 'status')).toEqual([]);
  story.edit(() => stateful);
  play(story);
  expect(story.state).toBe('ACTIVE_BLUE');
});
