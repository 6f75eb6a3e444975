import { describe, expect, it } from 'vitest';
import { colors } from '../../resources/blue-green-transition.ts';
import { fromMine, fromNothing } from './example.fixture.ts';
import { draining, keeping, lastCheckpoint } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { type Story, serving } from './story.fixture.ts';
import { configured, edited, image, stateful } from './view.fixture.ts';

describe.each(colors)('once traffic moved from %s and neither side is ready', (x) => {
  const down = (story: Story): Story => {
    story.becomes(x, 'failed').becomes(story.y, 'failed').settle();
    story.passes(700_000).settle();
    story.deeds.length = 0;
    return story;
  };

  it.each([
    ['draining', () => draining(x)],
    ['keeping', () => keeping(x)],
  ] as const)('nothing is given up by itself: %s', (_, given) => {
    const story = down(given());
    expect(story.jobState).toBe('FAILING');
    expect(story.condition('Available')?.status).toBe('False');
    expect(story.done()).toEqual([]);
  });

  it('a new template is taken up', () => {
    const story = down(draining(x)).edit(image('app:3'));
    play(story);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.side(story.y).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://sp/1' } });
  });

  it.each([
    ['savepoint', fromMine, 's3://mine'],
    ['stateless', fromNothing, undefined],
  ] as const)('a %s redeploy nonce is taken up', (_, nonce, path) => {
    const story = down(draining(x)).edit(nonce);
    play(story);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe(path);
  });

  it('a redeploy nonce is taken up in the rollback window, with x suspended by policy', () => {
    const spec = edited(stateful, lastCheckpoint, configured({ 'rollback-window': '30 min' }));
    const story = serving(x, spec).becomes(x, 'failing').edit(image('app:2'));
    story.settle();
    const left = { jobStatus: { state: 'CANCELED', jobId: 'j', upgradeSavepointPath: 's3://cp/7' } } as const;
    story.becomes(x, 'suspended', left).settle();
    story.becomes(story.y, 'ready').settle();
    expect(story.phase).toBe('keeping');
    story.becomes(story.y, 'failed').settle();
    play(story.edit(fromMine));
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://mine');
  });
});
