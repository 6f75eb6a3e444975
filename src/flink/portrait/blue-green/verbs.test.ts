import { applyPatch, type Operation } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import type { VerbName, Wish } from '../../../portrait/verb.ts';
import { play } from '../../decide/bluegreen/play.fixture.ts';
import { type Story, serving } from '../../decide/bluegreen/story.fixture.ts';
import { configured, edited, image, job, stateful, stateless } from '../../decide/bluegreen/view.fixture.ts';
import { portrayBlueGreen } from './portrait.ts';
import { blueGreenVerbs } from './verbs.ts';
import { aroundView, operator } from './world.fixture.ts';

const verbs = new Map(blueGreenVerbs({ operator: () => operator }).map((verb) => [verb.name, verb]));

function asked(story: Story, name: VerbName, wish: Partial<Wish> = {}) {
  const steering = verbs.get(name)?.request({ ...story.view.resource }, aroundView(story.view), { id: 'w', ...wish });
  if (!steering) throw new Error(`there is no ${name}`);
  return steering;
}

/** Does what the verb writes, as the API server would; says what was promised. */
function does(story: Story, name: VerbName, wish: Partial<Wish> = {}): string {
  const steering = asked(story, name, wish);
  if (steering.is === 'refused') throw new Error(`refused: ${steering.why}`);
  for (const write of steering.writes) {
    if (write.do !== 'patch') throw new Error(write.do);
    const { resource } = story.view;
    const after = structuredClone(resource);
    expect(write.patch[0]).toEqual({ op: 'test', path: '/metadata/uid', value: resource.metadata.uid });
    expect(applyPatch(after, structuredClone(write.patch) as Operation[]).filter((one) => one !== null)).toEqual([]);
    const changed = JSON.stringify(after.spec) !== JSON.stringify(resource.spec);
    const generation = (resource.metadata.generation ?? 0) + (changed ? 1 : 0);
    story.now({ resource: { ...after, metadata: { ...after.metadata, generation } } });
  }
  return steering.said;
}

function refusal(story: Story, name: VerbName, wish: Partial<Wish> = {}): string {
  const steering = asked(story, name, wish);
  return steering.is === 'refused' ? steering.why : `not refused: ${steering.said}`;
}

function onTheWay(settings: Readonly<Record<string, string>> = {}): Story {
  const story = serving('BLUE', edited(stateful, configured(settings)));
  story.edit(image('app:2')).settle();
  story.completed().settle();
  return story;
}

function ready(settings: Readonly<Record<string, string>>): Story {
  const story = onTheWay(settings);
  story.becomes('GREEN', 'ready').settle();
  return story;
}

function aborted(): Story {
  const story = onTheWay();
  story.becomes('GREEN', 'failing').passes(600_001).settle();
  return story;
}

describe('promote', () => {
  it('moves traffic to the side that waits, and the old one goes', () => {
    const story = ready({ promotion: 'manual' });
    expect(does(story, 'promote')).toBe('green gets the traffic; blue goes then.');
    play(story);
    expect(story.state).toBe('ACTIVE_GREEN');
    expect(story.view.sides.BLUE).toBeUndefined();
  });

  it('shortens a hold', () => {
    const story = ready({ 'promotion.hold': '1 h', 'deployment-deletion.delay': '5 s' });
    expect(does(story, 'promote')).toBe('green gets the traffic; blue goes after 5s.');
    story.settle();
    expect(story.phase).toBe('draining');
  });

  it('can be said before the side is ready, but only by force', () => {
    const story = onTheWay({ promotion: 'manual' });
    expect(refusal(story, 'promote')).toContain('green is not ready yet');
    does(story, 'promote', { force: true });
    play(story);
    expect(story.state).toBe('ACTIVE_GREEN');
  });

  it('is refused where nothing waits for it', () => {
    expect(refusal(serving('BLUE', stateful), 'promote')).toBe('No transition is under way.');
    expect(refusal(onTheWay(), 'promote')).toContain('by itself as soon as it is ready');
    expect(refusal(aborted(), 'promote')).toContain('given up already');
  });
});

describe('abort', () => {
  it('deletes the new side, and the old one serves on', () => {
    const story = onTheWay();
    const { uid } = story.side('BLUE').ref;
    expect(does(story, 'abort')).toContain('green is deleted and blue serves on');
    play(story);
    expect(story.state).toBe('ACTIVE_BLUE');
    expect(story.view.sides.GREEN).toBeUndefined();
    expect(story.side('BLUE').ref.uid).toBe(uid);
  });

  it('ends a savepoint that is waited for', () => {
    const story = serving('BLUE', stateful);
    story.edit(image('app:2')).settle();
    expect(does(story, 'abort')).toContain('green is not made');
    play(story);
    expect(story.state).toBe('ACTIVE_BLUE');
    expect(story.done()).toEqual([]);
  });

  it('is refused once traffic has moved, and says what to do', () => {
    const story = ready({ 'deployment-deletion.delay': '1 h' });
    expect(refusal(story, 'abort')).toBe('Traffic has moved to green: rollback brings it back to blue.');
  });
});

describe('rollback', () => {
  it('brings traffic back and deletes the new side, after a yes', () => {
    const story = ready({ 'rollback-window': '1 h' });
    const { uid } = story.side('BLUE').ref;
    expect(asked(story, 'rollback')).toMatchObject({ stake: { what: 'state' } });
    expect(does(story, 'rollback')).toContain('Traffic goes back to blue, then green is deleted');
    play(story);
    expect(story.state).toBe('ACTIVE_BLUE');
    expect(story.side('BLUE').ref.uid).toBe(uid);
    expect(story.view.sides.GREEN).toBeUndefined();
  });

  it('is refused when there is nothing to go back to', () => {
    const story = ready({ 'rollback-window': '1 h' });
    story.gone('BLUE');
    expect(refusal(story, 'rollback')).toContain('no way back');
    expect(refusal(onTheWay(), 'rollback')).toContain('To give green up, abort');
    expect(refusal(serving('BLUE', stateful), 'rollback')).toContain('put the template back');
  });
});

describe('retry', () => {
  it('tries once more what was aborted, with a new savepoint', () => {
    const story = aborted();
    expect(story.state).toBe('ACTIVE_BLUE');
    expect(does(story, 'retry')).toContain('green is made again, from a new savepoint');
    play(story);
    expect(story.state).toBe('ACTIVE_GREEN');
    expect(story.side('GREEN').spec.image).toBe('app:2');
    expect(story.done('FlinkStateSnapshot')).toHaveLength(2);
  });

  it('tries once more without state what was to start without', () => {
    const story = serving('BLUE', stateful);
    story.edit(job({ statelessRedeployNonce: 4 })).settle();
    story.becomes('GREEN', 'failing').passes(600_001).settle();
    expect(does(story, 'retry')).toContain('without state, as was asked for');
    play(story);
    expect(story.state).toBe('ACTIVE_GREEN');
    expect(story.side('GREEN').spec.job?.initialSavepointPath).toBeUndefined();
    expect(story.done('FlinkStateSnapshot')).toEqual([]);
  });

  it('works a second time, and after a person gave it up', () => {
    const story = onTheWay();
    for (let times = 0; times < 2; times += 1) {
      does(story, 'abort');
      play(story);
      does(story, 'retry');
      story.settle();
      expect(story.state).toBe('SAVEPOINTING_BLUE');
    }
  });

  it('is refused when nothing was given up', () => {
    expect(refusal(serving('BLUE', stateful), 'retry')).toBe('Nothing was given up.');
    expect(refusal(onTheWay(), 'retry')).toBe('A transition is under way.');
  });
});

describe('suspend and resume', () => {
  it('stop the side where it is and let it run again', () => {
    const story = serving('BLUE', stateful);
    expect(asked(story, 'suspend')).toMatchObject({ stake: { what: 'availability' } });
    expect(does(story, 'suspend')).toContain('blue is stopped with a savepoint; nothing serves');
    play(story);
    expect(story.side('BLUE').spec.job?.state).toBe('suspended');
    expect(portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator).phase).toBe('suspended');
    expect(refusal(story, 'suspend')).toBe('It is suspended already.');
    expect(refusal(story, 'restart')).toContain('resume it instead');
    expect(does(story, 'resume')).toContain('The job runs again, on blue');
    play(story);
    expect(story.side('BLUE').spec.job?.state).toBe('running');
    expect(story.jobState).toBe('RUNNING');
  });

  it('ask about state when a stateless job would lose it', () => {
    expect(asked(serving('BLUE', stateless), 'suspend')).toMatchObject({ stake: { what: 'state' } });
  });

  it('come after a transition that has made its side', () => {
    const story = onTheWay();
    expect(does(story, 'suspend')).toContain('once the transition to green is complete');
    play(story);
    expect(story.state).toBe('ACTIVE_GREEN');
    expect(story.side('GREEN').spec.job?.state).toBe('suspended');
  });
});

describe('restart', () => {
  it('makes the other side from the same template and a savepoint', () => {
    const story = serving('BLUE', stateful);
    expect(does(story, 'restart')).toBe(
      'green is made from the same template, from a new savepoint; blue serves until it is ready.',
    );
    play(story);
    expect(story.state).toBe('ACTIVE_GREEN');
    expect(story.side('GREEN').spec.image).toBe('app:1');
  });

  it('without state drops it, after a yes, also when that was done before', () => {
    const story = serving('BLUE', stateful);
    for (const state of ['ACTIVE_GREEN', 'ACTIVE_BLUE']) {
      expect(asked(story, 'restart', { stateless: true })).toMatchObject({ stake: { what: 'state' } });
      expect(does(story, 'restart', { stateless: true })).toContain('starts without state');
      play(story);
      expect(story.state).toBe(state);
    }
    expect(story.done('FlinkStateSnapshot')).toEqual([]);
  });

  it('acts also after the nonce was removed from the template', () => {
    const story = serving('BLUE', stateful);
    does(story, 'restart', { stateless: true });
    play(story);
    story.edit(job({ statelessRedeployNonce: undefined })).settle();
    does(story, 'restart', { stateless: true });
    play(story);
    expect(story.state).toBe('ACTIVE_BLUE');
  });
});

describe('pause', () => {
  it('is an annotation that resume takes away', () => {
    const story = serving('BLUE', stateful);
    does(story, 'pause');
    expect(story.view.resource.metadata.annotations).toEqual({ 'cutover.dev/paused': 'true' });
    expect(refusal(story, 'pause')).toBe('It is paused already.');
    expect(refusal(story, 'restart')).toContain('resume it first');
    expect(does(story, 'resume')).toBe('Cutover looks after it again.');
    expect(story.view.resource.metadata.annotations).toEqual({});
    expect(refusal(story, 'resume')).toBe('It is neither paused nor suspended.');
  });
});

it('refuses what another operator would have to do', () => {
  const story = serving('BLUE', stateful);
  const message = 'Another controller is alive.';
  const conditions = [
    { type: 'ManagedElsewhere', status: 'True' as const, reason: 'LeaseAlive', message, lastTransitionTime: '' },
  ];
  story.now({ resource: { ...story.view.resource, status: { ...story.status, conditions } } });
  for (const name of ['promote', 'abort', 'rollback', 'restart', 'retry', 'suspend'] as const) {
    expect(refusal(story, name)).toBe(message);
  }
});
