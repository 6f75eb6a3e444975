import { describe, expect, it } from 'vitest';
import type { JsonPatch } from '../../../control/decision.ts';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { annotations } from './annotations.ts';
import { suspend } from './example.fixture.ts';
import { halted, lastCheckpoint, savepointing } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { type Story, serving } from './story.fixture.ts';
import { edited, flinkConfigured, image, sideSeen, stateful } from './view.fixture.ts';

const left = (path: string) => ({ jobStatus: { state: 'CANCELED', upgradeSavepointPath: path } }) as const;

describe.each(colors)('the state of %s', (x) => {
  it('is asked for under the job that has it, with a limit', () => {
    const { status, view } = savepointing(x);
    expect(status.transition).toMatchObject({
      phase: 'savepointing',
      savepoint: {
        uid: `${x.toLowerCase()}-1`,
        jobId: `job-of-${x.toLowerCase()}-1`,
        deadline: '2026-01-01T00:11:00.000Z',
      },
    });
    expect(view.snapshots[0]?.metadata).toMatchObject({
      name: status.transition?.savepoint?.snapshot,
      annotations: { 'cutover.dev/id': 'uid-1/3/savepoint' },
    });
  });

  it('is asked for in the format and with the time that the job is configured with', () => {
    const slow = flinkConfigured({
      'execution.checkpointing.timeout': '1 h',
      'kubernetes.operator.savepoint.format.type': 'NATIVE',
    });
    const { status, view } = savepointing(x, edited(stateful, slow));
    expect(status.transition?.savepoint?.deadline).toBe('2026-01-01T01:01:00.000Z');
    expect(view.snapshots[0]?.spec.savepoint?.formatType).toBe('NATIVE');
  });

  it('is asked for again and again, later and later, under another name each time', () => {
    const story = savepointing(x);
    const waits: number[] = [];
    for (let failures = 1; failures <= 9; failures += 1) {
      story.savepoint({ state: 'FAILED', error: `for the ${failures}th time` });
      const { wakeAt = 0 } = story.settle();
      expect(story.status.error).toContain(`for the ${failures}th time`);
      waits.push((wakeAt - story.view.now) / 1000);
      story.now({ now: wakeAt }).settle();
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
    expect(new Set(story.view.snapshots.map(({ metadata }) => metadata.name)).size).toBe(10);
    story.completed('s3://sp/at-last');
    play(story);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/at-last');
  });

  it('is never that of a job which no longer runs', () => {
    const story = savepointing(x)
      .completed('s3://sp/old')
      .becomes(x, 'settling', { jobStatus: { state: 'RECONCILING', jobId: 'new' } });
    story.look();
    expect(story.state).toBe(`SAVEPOINTING_${x}`);
    expect(story.status.error).toContain('another job');
    story.becomes(x, 'ready', { jobStatus: { state: 'RUNNING', jobId: 'new' } });
    play(story);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/2');
  });

  it('says what is wrong when nobody knows where it lies', () => {
    const story = savepointing(x).savepoint({ state: 'COMPLETED' });
    story.look();
    expect(story.status.error).toContain('nobody knows where it lies');
  });

  it('waits for a stray side of the name that is needed to be gone', () => {
    const story = savepointing(x);
    const stray = sideSeen(story.y, stateful, 'ready', { id: undefined });
    story
      .now({ sides: { ...story.view.sides, [story.y]: stray } })
      .completed()
      .look();
    expect(story.done().at(-1)).toBe(`delete counter-${story.y.toLowerCase()}`);
    expect(story.state).toBe(`SAVEPOINTING_${x}`);
    play(story);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/1');
  });

  it('is not fetched any more when a person gives the transition up', () => {
    const story = savepointing(x);
    story.annotate({ [annotations.rollback]: story.status.transition?.id ?? '' }).settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.condition('Stalled')?.reason).toBe('TransitionAborted');
    expect(story.status.history?.[0]?.outcome).toBe('rolled-back');
    play(story);
    expect(story.done()).toEqual([]);
    story.edit(image('app:3'));
    play(story);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });
});

describe.each(colors)('an unhealthy %s that is suspended for its last checkpoint', (x) => {
  const failing = (): Story => serving(x, edited(stateful, lastCheckpoint)).becomes(x, 'failing').edit(image('app:2'));

  it('gives it to the other side', () => {
    const story = failing();
    story.settle();
    story.becomes(x, 'suspended', left('s3://cp/9')).settle();
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://cp/9');
    expect(story.view.snapshots).toEqual([]);
    expect(story.status.serving).not.toHaveProperty('suspended');
  });

  it('is not suspended if it recovers before: a savepoint is taken', () => {
    const story = failing();
    story.look(1);
    expect(story.status.serving?.suspended).toBe(true);
    story.becomes(x, 'ready').settle();
    expect(story.side(x).spec.job?.state).not.toBe('suspended');
    expect(story.view.snapshots).toHaveLength(1);
    play(story);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/1');
  });

  it('is believed also by the word of an operator that does not tell which generation it speaks of', () => {
    const story = halted(x).becomes(x, 'suspended', left('s3://cp/9'));
    const { observedGeneration: _, ...status } = story.side(x).status;
    story.seen(x, { status }).settle();
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://cp/9');
  });

  it('is not believed before it has taken the suspension up', () => {
    const story = halted(x).becomes(x, 'suspended', { ...left('s3://cp/8'), observedGeneration: 1 });
    story.settle();
    expect(story.view.sides[story.y]).toBeUndefined();
  });

  it('is waited for no more when it was deleted by hand', () => {
    const story = halted(x).gone(x);
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} FAILING`);
    expect(story.view.sides[story.y]).toBeUndefined();
  });

  it('is resumed when what it was suspended for is given up', () => {
    const story = halted(x).becomes(x, 'suspended', left('s3://cp/9'));
    story.settle();
    story.becomes(story.y, 'failed').passes(600_000).settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} FAILING`);
    expect(story.side(x).spec).toMatchObject({ image: 'app:1' });
    expect(story.side(x).spec.job?.state).not.toBe('suspended');
    expect(story.status.serving).not.toHaveProperty('suspended');
  });

  it('stays suspended, and is not resumed first, when the user suspends it', () => {
    const story = halted(x).becomes(x, 'suspended').edit(suspend);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} SUSPENDED`);
    const states = story.deeds.flatMap((deed) =>
      deed.do === 'patch' && deed.of.name === `counter-${x.toLowerCase()}` ? [stateIn(deed.patch)] : [],
    );
    expect(new Set(states)).toEqual(new Set(['suspended']));
    expect(story.status.serving).not.toHaveProperty('suspended');
  });

  it('is suspended, and resumed, only as the policy says', () => {
    const story = serving(x, stateful).becomes(x, 'failing').edit(image('app:2'));
    story.settle();
    expect(story.done()).toEqual([]);
  });
});

function stateIn([operation]: JsonPatch): unknown {
  const value = operation && 'value' in operation ? operation.value : undefined;
  return (value as { job?: { state?: string } } | undefined)?.job?.state;
}

it('keeps the records of as many savepoints as are asked for, and that of the last in any case', () => {
  const played = (count: string): readonly (string | undefined)[] => {
    const settings = { configuration: { 'kubernetes.operator.bluegreen.savepoint.history.max.count': count } };
    const story = serving('BLUE', { ...stateful, ...settings });
    for (const version of ['app:2', 'app:3', 'app:4']) play(story.edit(image(version)) as Story & { x: Color });
    return story.view.snapshots.map(({ status }) => status?.path);
  };
  expect(played('2')).toHaveLength(2);
  expect(played('0')).toHaveLength(1);
  expect(played('10')).toHaveLength(3);
});
