import { describe, expect, it } from 'vitest';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { fromMine, fromNothing, suspend } from './example.fixture.ts';
import { draining, keeping, retiring, savepointing, starting, suspended } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { Story, serving } from './story.fixture.ts';
import { configured, type Edit, edited, image, ingressed, job, stateful, stateless, viewOf } from './view.fixture.ts';

const word = (color: Color) => `counter-${color.toLowerCase()}`;
const from = (nonce: number, path: string) => job({ savepointRedeployNonce: nonce, initialSavepointPath: path });

/** Paths that sides were started from, one after the other; `nothing` without one. */
const startedFrom = (story: Story): readonly string[] =>
  story.deeds.flatMap((deed) => {
    if (deed.do !== 'create' || deed.object.kind !== 'FlinkDeployment') return [];
    const { spec } = deed.object as { spec?: { job?: { initialSavepointPath?: string } } };
    return [spec?.job?.initialSavepointPath ?? 'nothing'];
  });

describe.each(colors)('a redeploy nonce that changes during a transition from %s (seed 003)', (x) => {
  it('aborts it and says so, in the words of the seed', () => {
    const story = starting(x).edit(from(1, 's3://bucket/new-savepoint'));
    story.events.length = 0;
    story.look();
    expect(story.events).toEqual([
      `TransitionSuperseded: savepointRedeployNonce changed during transition from ${x} to ${story.y}. Aborting current transition and will restart with new savepoint from: s3://bucket/new-savepoint`,
      `SideDeleted: Deleted transitioning FlinkDeployment '${word(story.y)}' due to savepointRedeployNonce change`,
    ]);
  });

  it('goes from TRANSITIONING to ACTIVE at once, without the trigger id, and to TRANSITIONING again from the new savepoint', () => {
    const story = savepointing(x).savepoint({ state: 'IN_PROGRESS', triggerId: 'trigger-1' });
    story.settle();
    story.savepoint({ state: 'COMPLETED', triggerId: 'trigger-1', path: 's3://sp/1' }).settle();
    expect([story.state, story.status.savepointTriggerId]).toEqual([`TRANSITIONING_TO_${story.y}`, 'trigger-1']);
    const [old] = [story.side(story.y)];
    story.edit(from(1, 's3://new')).look();
    expect([story.state, story.status.savepointTriggerId]).toEqual([`ACTIVE_${x}`, undefined]);
    expect(story.side(story.y).terminating).toBe(true);
    expect(story.status.history?.[0]).toMatchObject({ outcome: 'superseded', restoredFrom: 's3://sp/1' });
    story.settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
    story.gone(story.y).settle();
    expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
    expect(story.side(story.y).ref.uid).not.toBe(old?.ref.uid);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://new');
    expect(story.status.transition).toMatchObject({ cause: 'savepoint-redeploy', restore: { path: 's3://new' } });
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
  });

  it('likewise starts over empty for the stateless one', () => {
    const story = starting(x).edit(fromNothing);
    story.events.length = 0;
    story.look();
    expect(story.events[0]).toMatch(/^TransitionSuperseded: statelessRedeployNonce changed .* restart without state$/);
    expect(story.events[1]).toMatch(/due to statelessRedeployNonce change$/);
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', 'nothing']);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });

  it('stays ACTIVE with a warning while the deletion is stuck on a finalizer', () => {
    const story = starting(x);
    story
      .seen(story.y, { finalizers: ['stuck/here'] })
      .edit(fromMine)
      .look();
    story.events.length = 0;
    for (let minutes = 0; minutes < 30; minutes += 1) {
      story.passes(60_000).settle();
      expect(story.state).toBe(`ACTIVE_${x}`);
    }
    expect(story.events).toEqual([expect.stringMatching(/^SideLeaving: .*stuck\/here/)]);
    expect(story.condition('Reconciling')?.reason).toBe('SideLeaving');
    expect(story.status.nonces).toBeUndefined();
    story.gone(story.y);
    play(story);
    expect(startedFrom(story).at(-1)).toBe('s3://mine');
    expect(story.status.error).toBeUndefined();
  });

  it('asks for the deletion again when the request was lost', () => {
    const story = starting(x).edit(fromMine);
    story.look(1);
    expect([story.state, story.side(story.y).terminating]).toEqual([`ACTIVE_${x}`, false]);
    story.look();
    expect(story.side(story.y).terminating).toBe(true);
  });

  it('wins over earlier ones: of rapid changes the last is the one that is started from', () => {
    const story = starting(x).edit(from(1, 's3://one'));
    story.look();
    story.edit(from(2, 's3://two')).settle();
    story.gone(story.y).edit(from(3, 's3://three'));
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', 's3://three']);
    expect(story.status.nonces).toEqual({ savepointRedeploy: 3 });
  });

  it('deletes a side that is about to become stable', () => {
    const story = starting(x).edit(fromMine);
    story.becomes(story.y, 'ready').look();
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.side(story.y).terminating).toBe(true);
  });

  it('acts also while y is already being made again for an edit', () => {
    const story = starting(x).edit(image('app:3'));
    story.look();
    story.edit(fromMine);
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', 's3://mine']);
    expect(story.status.history?.[0]?.cause).toBe('savepoint-redeploy');
  });

  it('waits for resume when the same edit suspends the job', () => {
    const story = starting(x).edit(fromMine, suspend);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} SUSPENDED`);
    expect(story.view.sides[story.y]).toBeUndefined();
    expect(story.side(x).spec.job).toMatchObject({ savepointRedeployNonce: 7, initialSavepointPath: 's3://mine' });
  });

  it.each<[string, () => Story, ends: 'y' | 'x']>([
    ['savepointing', () => savepointing(x), 'y'],
    ['starting', () => starting(x), 'y'],
    ['verifying', () => verified(x), 'y'],
    ['switching', () => switching(x), 'y'],
    ['draining', () => draining(x), 'y'],
    ['keeping', () => keeping(x), 'x'],
    ['retiring', () => retiring(x), 'x'],
  ])('acts exactly once, on which side ever, when it changes while %s', (phase, given, ends) => {
    const story = given();
    expect(story.phase).toBe(phase);
    const made = startedFrom(story).length;
    story.edit(fromMine, configured({ promotion: 'automatic' }));
    play(story);
    expect(startedFrom(story).slice(made)).toEqual(['s3://mine']);
    expect(story.status.nonces).toEqual({ savepointRedeploy: 7 });
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${ends === 'y' ? story.y : x} RUNNING`);
    expect(story.view.sides[ends === 'y' ? x : story.y]).toBeUndefined();
  });

  it('acts exactly once wherever the operator dies', () => {
    const given = () => starting(x).edit(from(1, 's3://new'));
    const looks = play(given());
    looks.forEach((actions, look) => {
      for (let action = 0; action < actions; action += 1) {
        const story = given();
        play(story, { crash: { look, action } });
        expect(new Set(startedFrom(story))).toEqual(new Set(['s3://sp/1', 's3://new']));
        expect(story.status.nonces).toEqual({ savepointRedeploy: 1 });
        expect(story.status.history?.map(({ outcome }) => outcome)).toEqual(['promoted', 'superseded']);
        expect(story.state).toBe(`ACTIVE_${story.y}`);
      }
    });
  });
});

function verified(x: Color): Story {
  const story = starting(x, edited(stateful, configured({ promotion: 'manual' })));
  story.becomes(story.y, 'ready').settle();
  return story;
}

function switching(x: Color): Story {
  const story = starting(x, edited(stateful, ingressed('/{{name}}')));
  story.becomes(story.y, 'ready').look();
  return story;
}

describe.each(colors)('the other redeploy nonce, before a side exists for the first, x %s', (x) => {
  const orders: readonly [string, Edit, Edit, string][] = [
    ['savepoint, then stateless', fromMine, fromNothing, 'nothing'],
    ['stateless, then savepoint', fromNothing, fromMine, 's3://mine'],
  ];

  it.each(orders)('wins: %s', (_, one, other, source) => {
    const story = starting(x).edit(one);
    story.look();
    expect(story.state).toBe(`ACTIVE_${x}`);
    story.edit(other);
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', source]);
    expect(story.status.nonces).toEqual({ savepointRedeploy: 7, statelessRedeploy: 7 });
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
  });

  it.each(orders)('wins while traffic is on its way back: %s', (_, one, other, source) => {
    const story = draining(x, edited(stateful, ingressed('/{{name}}'))).edit(one);
    story.look(1);
    expect(story.phase).toBe('returning');
    story.edit(other);
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', source]);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });

  it.each(orders)('wins while x is about to go: %s', (_, one, other, source) => {
    const story = retiring(x).edit(one);
    story.look();
    story.edit(other);
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', source]);
    expect(story.state).toBe(`ACTIVE_${x}`);
  });

  it('wins over a second value of the first that came while x was about to go', () => {
    const story = serving(x, edited(stateful, configured({ 'deployment-deletion.delay': '5 s' }))).edit(fromNothing);
    story.settle();
    story.becomes(story.y, 'ready').settle();
    story.passes(5_000).look(1);
    expect(story.phase).toBe('retiring');
    story.edit(job({ statelessRedeployNonce: 8 })).look(1);
    story.edit(fromMine);
    play(story);
    expect(startedFrom(story)).toEqual(['nothing', 's3://mine']);
    expect(story.status.nonces).toEqual({ savepointRedeploy: 7, statelessRedeploy: 8 });
    expect(story.status).not.toHaveProperty('superseded');
  });

  it('acts again when it is set to the value that was superseded, after it had another', () => {
    const story = starting(x).edit(fromMine);
    story.look();
    story.edit(fromNothing).look();
    for (const nonce of [8, 7]) story.edit(from(nonce, `s3://${nonce}`)).look();
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', 's3://7']);
  });

  it.each(orders)(
    'wins after an abort, also when the template is mended in the same edit: %s',
    (_, one, other, source) => {
      for (const edits of [[[other]], [[image('app:3'), other]], [[image('app:3')], [other]]]) {
        const story = serving(x, stateful).edit(one);
        story.settle();
        story.becomes(story.y, 'settling').passes(600_000).settle();
        expect(story.status.aborted).toBeDefined();
        for (const edit of edits) story.edit(...edit).look();
        play(story);
        expect(startedFrom(story).slice(1)).toEqual([source]);
        expect(story.state).toBe(`ACTIVE_${story.y}`);
      }
    },
  );

  it.each(orders)('wins on resume, when nobody is there to be suspended: %s', (_, one, other, source) => {
    const story = starting(x).gone(x).edit(one, suspend);
    play(story);
    story.edit(other);
    play(story);
    expect(story.condition('Stalled')).toBeUndefined();
    story.edit(job({ state: 'running' }));
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', source]);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });

  it.each(orders)('alone reaches x when the job is suspended meanwhile: %s', (_, one, other) => {
    const story = starting(x).edit(one);
    story.look();
    story.edit(other).look();
    story.edit(suspend);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} SUSPENDED`);
    const { savepointRedeployNonce, statelessRedeployNonce } = story.side(x).spec.job ?? {};
    const last = other === fromMine ? [7, undefined] : [undefined, 7];
    expect([savepointRedeployNonce, statelessRedeployNonce]).toEqual(last);
  });

  it.each(orders)('wins wherever the operator dies, and the first never acts: %s', (_, one, other, source) => {
    const given = () => {
      const story = starting(x).edit(one);
      story.look(1);
      return story.edit(other);
    };
    play(given()).forEach((actions, look) => {
      for (let action = 0; action < actions; action += 1) {
        const story = given();
        play(story, { crash: { look, action } });
        expect(
          startedFrom(story)
            .slice(1)
            .every((path) => path === source),
        ).toBe(true);
        expect(story.status.nonces).toEqual({ savepointRedeploy: 7, statelessRedeploy: 7 });
        expect(story.status).not.toHaveProperty('wanted');
        expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
      }
    });
  });

  it('is said to supersede it, once', () => {
    const story = starting(x).edit(fromMine);
    story.look();
    story.edit(fromNothing).look();
    play(story);
    expect(story.events.filter((event) => event.startsWith('RedeploySuperseded'))).toEqual([
      'RedeploySuperseded: statelessRedeployNonce changed before a side was made for savepointRedeployNonce 7, which is superseded and does not act any more.',
    ]);
  });

  it('does not bring the first back when it is removed again', () => {
    const story = starting(x).edit(fromMine);
    story.look();
    story.edit(fromNothing).look();
    story.edit(job({ statelessRedeployNonce: undefined }));
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', 's3://sp/2']);
  });

  it('is refused together with another value of the first: nobody knows which is meant', () => {
    const story = starting(x).edit(fromMine);
    story.look();
    story.edit(from(8, 's3://other'), fromNothing).settle();
    expect(story.condition('Stalled')).toMatchObject({ reason: 'ValidationError' });
    expect(story.condition('Promoted')).toMatchObject({ status: 'False', reason: 'ValidationError' });
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', 's3://mine']);
  });

  it('is refused when both changed before anybody looked', () => {
    const story = starting(x).edit(fromMine).edit(fromNothing);
    story.settle();
    expect(story.condition('Stalled')).toMatchObject({ reason: 'ValidationError' });
  });
});

describe('the values of a redeploy nonce', () => {
  /** How often a side was made after each value. */
  const transitions = (...values: readonly (number | undefined)[]) => {
    const story = serving('BLUE', stateless);
    return values.map((savepointRedeployNonce) => {
      const before = startedFrom(story).length;
      story.edit(job({ savepointRedeployNonce, initialSavepointPath: 's3://mine' }));
      play(story);
      return startedFrom(story).length - before;
    });
  };

  it('act on every change: 1, 2, 1 acts three times', () => expect(transitions(1, 2, 1)).toEqual([1, 1, 1]));
  it('are remembered through null: 1, null, 1 acts once', () =>
    expect(transitions(1, undefined, 1)).toEqual([1, 0, 0]));
  it('act after null if they are new: 1, null, 2', () => expect(transitions(1, undefined, 2)).toEqual([1, 0, 1]));
  it('act only when they change: 1, 1', () => expect(transitions(1, 1)).toEqual([1, 0]));

  it('are recorded without acting when they are there at creation', () => {
    const story = new Story(viewOf(edited(stateless, fromNothing)));
    play(story);
    expect(story.status.nonces).toEqual({ statelessRedeploy: 7 });
    story.edit(job({ statelessRedeployNonce: 7 }));
    play(story);
    expect(story.done()).toEqual(['create counter-blue']);
  });

  it('are refused when both change in one edit, and nothing happens', () => {
    const story = serving('BLUE', stateful).edit(fromMine, fromNothing);
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_BLUE FAILING');
    expect(story.condition('Stalled')).toMatchObject({ reason: 'ValidationError' });
    expect(story.status.error).toContain('must not change together');
    expect(story.done()).toEqual([]);
    expect(story.status.nonces).toBeUndefined();
    story.edit(job({ statelessRedeployNonce: undefined }));
    play(story);
    expect(startedFrom(story)).toEqual(['s3://mine']);
  });

  it('are refused when both change during a transition, which goes on as it was', () => {
    const story = starting('BLUE').edit(fromMine, fromNothing);
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe('TRANSITIONING_TO_GREEN FAILING');
    play(story);
    expect(story.state).toBe('ACTIVE_GREEN');
    expect(startedFrom(story)).toEqual(['s3://sp/1']);
  });

  it('are refused without a path to start from', () => {
    const story = serving('BLUE', stateful).edit(job({ savepointRedeployNonce: 1 }));
    story.settle();
    expect(story.status.error).toContain('initialSavepointPath');
    expect(story.done()).toEqual([]);
  });

  it('act on resume, once, when they change while the job is suspended', () => {
    const story = suspended('BLUE').edit(fromMine);
    play(story);
    story.edit(job({ state: 'running' }));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_BLUE RUNNING');
    expect(startedFrom(story)).toEqual([]);
    expect(story.side('BLUE').spec.job).toMatchObject({ savepointRedeployNonce: 7, initialSavepointPath: 's3://mine' });
    story.edit(image('app:2'));
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1']);
  });
});

describe('a redeploy nonce while nobody serves', () => {
  it('acts on resume when the same edit suspends the job', () => {
    const story = starting('BLUE').gone('BLUE').edit(fromMine, suspend);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_BLUE SUSPENDED');
    expect(story.view.sides.GREEN).toBeUndefined();
    expect(story.status.nonces).toBeUndefined();
    story.edit(job({ state: 'running' }));
    play(story);
    expect(startedFrom(story).at(-1)).toBe('s3://mine');
    expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_GREEN RUNNING');
  });

  it('makes the same transition go on from the new source', () => {
    const story = starting('BLUE').gone('BLUE').edit(fromMine);
    play(story);
    expect(startedFrom(story)).toEqual(['s3://sp/1', 's3://mine']);
    expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_GREEN RUNNING');
    expect(story.status.history?.[0]).toMatchObject({ cause: 'savepoint-redeploy', outcome: 'promoted' });
  });
});

describe.each(colors)('a redeploy nonce whose target was given up before it served, x %s', (x) => {
  /** Its target was made, and is going because of another edit. */
  const remaking = (): Story => {
    const story = serving(x, stateful).edit(fromNothing);
    story.settle();
    story.edit(image('app:2')).look();
    expect([story.side(story.y).terminating, story.status.nonces?.statelessRedeploy]).toEqual([true, 7]);
    return story;
  };

  it('acts on resume when the job is suspended before there is another', () => {
    const story = remaking().edit(suspend);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} SUSPENDED`);
    expect(story.side(x).spec.job?.statelessRedeployNonce).toBe(7);
  });

  it('no longer drops state when it was taken back', () => {
    const story = remaking().edit(job({ statelessRedeployNonce: undefined }));
    play(story);
    expect(startedFrom(story)).toEqual(['nothing', 's3://sp/1']);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
  });
});
