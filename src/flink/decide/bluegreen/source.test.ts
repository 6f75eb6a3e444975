import { describe, expect, it } from 'vitest';
import { colors } from '../../resources/blue-green-transition.ts';
import { halted, lastCheckpoint } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { Story, serving } from './story.fixture.ts';
import { type Edit, edited, flinkConfigured, image, job, stateful, stateless, viewOf } from './view.fixture.ts';

const checkpoint = { jobStatus: { state: 'FAILED', jobId: 'ended', upgradeSavepointPath: 's3://cp/9' } } as const;

/** x ended and left a checkpoint, y starts from it. */
function startingFromCheckpoint(x: 'BLUE' | 'GREEN', ...edits: readonly Edit[]): Story {
  const story = serving(x, edited(stateful, ...edits)).becomes(x, 'failed', checkpoint);
  story.edit(image('app:2')).settle();
  story.becomes(story.y, 'settling').settle();
  expect(story.status.transition?.restore).toEqual({ mode: 'checkpoint', path: 's3://cp/9' });
  return story;
}

describe.each(colors)('the checkpoint that the ended job of %s left', (x) => {
  it('is what y starts from once more while nothing newer is there', () => {
    const story = startingFromCheckpoint(x).edit(image('app:3'));
    story.settle();
    story.gone(story.y).settle();
    expect(story.side(story.y).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://cp/9' } });
  });

  it('is not used again once the job runs again: a savepoint is taken', () => {
    const story = startingFromCheckpoint(x).becomes(x, 'ready').edit(image('app:3'));
    story.settle();
    story.gone(story.y).settle();
    expect(story.state).toBe(`SAVEPOINTING_${x}`);
    play(story);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/1');
  });

  it('is not used again once the job runs again, though y was gone by then', () => {
    const story = startingFromCheckpoint(x).edit(image('app:3'));
    story.settle();
    story.becomes(x, 'ready').gone(story.y).settle();
    expect(story.state).toBe(`SAVEPOINTING_${x}`);
  });

  it('is never used again where the restored job may have deleted it', () => {
    const claiming = flinkConfigured({ 'execution.savepoint-restore-mode': 'CLAIM' });
    const story = startingFromCheckpoint(x, claiming).becomes(x, 'failing').edit(image('app:3'));
    play(story);
    expect(story.view.sides[story.y]).toBeUndefined();
    expect(story.status.error).toContain('No savepoint can be taken');
  });
});

describe.each(colors)('by policy, for its last checkpoint, %s', (x) => {
  it('is not suspended while it only starts: it is about to be well', () => {
    const story = serving(x, edited(stateful, lastCheckpoint)).becomes(x, 'settling').edit(image('app:2'));
    story.settle();
    expect(story.done()).toEqual([]);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RECONCILING`);
    story.becomes(x, 'ready').settle();
    expect(story.state).toBe(`SAVEPOINTING_${x}`);
  });

  it('is suspended when it fails', () => {
    const story = halted(x);
    expect(story.side(x).spec.job?.state).toBe('suspended');
  });
});

describe.each(colors)('the directory of a savepoint of %s', (x) => {
  const homeless: Edit = (old) => {
    const spec = old.template?.spec;
    return {
      ...old,
      template: { ...old.template, spec: { ...spec, flinkConfiguration: { 'state.checkpoints.dir': 's3://cp' } } },
    };
  };
  const withState = [job({ upgradeMode: 'savepoint' }), flinkConfigured({ 'state.savepoints.dir': 's3://new' })];

  it('is that of the new template where the side has none', () => {
    const story = serving(x, edited(stateless, homeless)).edit(...withState);
    story.settle();
    expect(story.state).toBe(`SAVEPOINTING_${x}`);
    expect(story.view.snapshots[0]?.spec).toMatchObject({ savepoint: { path: 's3://new' } });
  });

  it('is the side’s own where it has one', () => {
    const story = serving(x, stateless).edit(...withState);
    story.settle();
    expect(story.view.snapshots[0]?.spec?.savepoint).not.toHaveProperty('path');
  });
});

describe('an empty initialSavepointPath', () => {
  it.each(['', '  '])('names no state: %j', (initialSavepointPath) => {
    const story = new Story(viewOf(edited(stateful, job({ initialSavepointPath }))));
    story.settle();
    expect(story.status.transition?.restore).toEqual({ mode: 'stateless' });
    expect(story.side('BLUE').spec.job).not.toHaveProperty('initialSavepointPath');
  });

  it('is nothing that a redeploy could start from', () => {
    const story = serving('BLUE', stateful).edit(job({ savepointRedeployNonce: 1, initialSavepointPath: ' ' }));
    story.settle();
    expect(story.state).toBe('ACTIVE_BLUE');
    expect(story.jobState).toBe('FAILING');
    expect(story.done()).toEqual([]);
  });
});
