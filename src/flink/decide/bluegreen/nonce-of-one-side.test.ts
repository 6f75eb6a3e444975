import { describe, expect, it } from 'vitest';
import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import { colors } from '../../resources/blue-green-transition.ts';
import { fromMine, fromNothing, suspend } from './example.fixture.ts';
import { play } from './play.fixture.ts';
import { Story, serving } from './story.fixture.ts';
import { edited, image, job, patchable, resourceOf, sideSeen, stateful, viewOf } from './view.fixture.ts';

const resume = job({ state: 'running' });

/** A nonce and a broken image came together, and the target was given up. */
function abortedFor(x: 'BLUE' | 'GREEN', nonce = fromNothing): Story {
  const story = serving(x, stateful).edit(image('broken'), nonce);
  story.settle();
  story.becomes(story.y, 'settling').settle();
  story.passes(600_000).settle();
  expect(story.status.aborted).toBeDefined();
  story.deeds.length = 0;
  return story;
}

describe.each(colors)('a redeploy nonce that another side than %s has acted upon', (x) => {
  it.each([
    ['the image is put back', [image('app:1')]],
    ['the image is put back together with what can be patched', [image('app:1'), patchable('3')]],
    ['only what can be patched changes', [patchable('3')]],
  ] as const)('never reaches it after an abort: %s', (_, edits) => {
    for (const nonce of [fromNothing, fromMine]) {
      const story = abortedFor(x, nonce);
      play(story.edit(...edits));
      play(story.edit(suspend));
      expect(story.side(x).spec.job?.state).toBe('suspended');
      play(story.edit(resume));
      expect(story.side(x).spec).toMatchObject({ image: 'app:1', job: { state: 'running' } });
      expect(story.side(x).spec.job).not.toHaveProperty('statelessRedeployNonce');
      expect(story.side(x).spec.job).not.toHaveProperty('savepointRedeployNonce');
      expect(story.side(x).spec.job).not.toHaveProperty('initialSavepointPath');
      expect(story.state).toBe(`ACTIVE_${x}`);
    }
  });

  it('never reaches it when it is written again after it was removed', () => {
    const story = serving(x, stateful).edit(fromNothing);
    play(story);
    play(story.edit(job({ statelessRedeployNonce: undefined })));
    play(story.edit(image('app:2')));
    expect(story.state).toBe(`ACTIVE_${x}`);
    play(story.edit(fromNothing));
    play(story.edit(suspend));
    play(story.edit(resume));
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.side(x).spec.job).not.toHaveProperty('statelessRedeployNonce');
  });
});

describe.each(colors)('a redeploy nonce whose target was given up while %s serves', (x) => {
  it('decides where a mended template starts from: the path of the user', () => {
    const story = abortedFor(x, fromMine);
    play(story.edit(image('mended')));
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.side(story.y).spec).toMatchObject({ image: 'mended', job: { initialSavepointPath: 's3://mine' } });
    expect(story.view.snapshots).toEqual([]);
    expect(story.status.nonces).toEqual({ savepointRedeploy: 7 });
  });

  it('decides where a mended template starts from: nothing', () => {
    const story = abortedFor(x);
    play(story.edit(image('mended')));
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.side(story.y).spec.job).not.toHaveProperty('initialSavepointPath');
    expect(story.view.snapshots).toEqual([]);
  });

  it('does so also after a person gave it up', () => {
    const story = serving(x, stateful).edit(image('broken'), fromMine);
    story.settle();
    story.annotate({ 'cutover.dev/rollback': story.status.transition?.id ?? '' });
    play(story);
    expect(story.state).toBe(`ACTIVE_${x}`);
    play(story.edit(image('mended')));
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://mine');
  });

  it('counts no more when the next edit takes it back', () => {
    const story = abortedFor(x, fromMine);
    const none = job({ savepointRedeployNonce: undefined, initialSavepointPath: undefined });
    play(story.edit(image('mended'), none));
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/1');
  });

  it('does not act by itself: nothing is tried again', () => {
    const story = abortedFor(x);
    play(story.passes(3_600_000));
    expect(story.done()).toEqual([]);
    expect(story.state).toBe(`ACTIVE_${x}`);
  });
});

describe.each(colors)('a redeploy nonce that is taken back while its target starts beside %s', (x) => {
  it('can be set again, and acts', () => {
    const story = serving(x, stateful).edit(fromNothing);
    story.settle();
    story.becomes(story.y, 'settling').settle();
    play(story.edit(job({ statelessRedeployNonce: undefined })));
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.status.nonces ?? {}).toEqual({});
    story.edit(fromNothing).settle();
    expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
    expect(story.status.nonces).toEqual({ statelessRedeploy: 7 });
  });

  it('leaves the one before remembered', () => {
    const story = serving(x, stateful, {}, { nonces: { statelessRedeploy: 3 } }).edit(fromNothing);
    story.settle();
    play(story.edit(job({ statelessRedeployNonce: undefined })));
    expect(story.status.nonces).toEqual({ statelessRedeploy: 3 });
    story.edit(job({ statelessRedeployNonce: 3 })).settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
  });
});

describe.each(colors)('a redeploy nonce that another operator left, while %s serves', (x) => {
  const asked = edited(stateful, fromMine);
  const left = (has: typeof stateful): Story => {
    const status = {
      blueGreenState: `ACTIVE_${x}`,
      jobStatus: { state: 'RUNNING' },
      lastReconciledSpec: blueGreenSpecCodec.write(asked),
    } as const;
    const view = viewOf(asked);
    return new Story(
      {
        ...view,
        sides: { ...view.sides, [x]: { ...sideSeen(x, has, 'ready'), id: undefined } },
        resource: resourceOf(asked, status),
      },
      x,
    );
  };

  it('was acted upon when the side has it', () => {
    const story = left(asked);
    play(story);
    expect(story.status.nonces).toEqual({ savepointRedeploy: 7 });
    expect(story.done()).toEqual([]);
  });

  it('is acted upon when it was recorded and no side has it, and never in place', () => {
    const story = left(stateful);
    story.settle();
    expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://mine');
    expect(story.side(x).spec.job).not.toHaveProperty('savepointRedeployNonce');
    expect(story.side(x).spec.job).not.toHaveProperty('initialSavepointPath');
  });
});
