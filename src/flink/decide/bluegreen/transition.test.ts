import { describe, expect, it } from 'vitest';
import { actionDigest } from '../../../control/outcome.ts';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { draining, retiring, savepointing, starting, startingEmpty } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { Story, serving } from './story.fixture.ts';
import {
  configured,
  type Edit,
  edited,
  flinkConfigured,
  image,
  ingressed,
  job,
  stateful,
  stateless,
  viewOf,
} from './view.fixture.ts';

const routed = edited(stateful, ingressed('{{name}}.example.com'));
const word = (color: Color) => `counter-${color.toLowerCase()}`;

describe.each(colors)('a transition from %s', (x) => {
  it('goes through the states of seed 001, with traffic at a ready side throughout', () => {
    const story = serving(x, routed).edit(image('app:2'));
    const states: string[] = [];
    play(story, {
      watch: ({ state = '', view, side }) => {
        if (states.at(-1) !== state) states.push(state);
        const [backend = ''] = view.ingress?.backends ?? [];
        const color = colors.find((one) => backend === `${word(one)}-rest`) ?? x;
        expect(side(color)).toMatchObject({ terminating: false, status: { lifecycleState: 'STABLE' } });
      },
    });
    const { y } = story;
    expect(states).toEqual([`SAVEPOINTING_${x}`, `TRANSITIONING_TO_${y}`, `ACTIVE_${y}`]);
    expect(story.view.ingress?.backends).toEqual([`${word(y)}-rest`]);
    expect(story.done()).toEqual([`create ${word(y)}`, `delete ${word(x)}`]);
    expect(story.view.sides[x]).toBeUndefined();
    expect(story.status).toMatchObject({
      jobStatus: { state: 'RUNNING' },
      serving: { color: y, name: word(y), uid: story.side(y).ref.uid },
      abortTimestamp: '1970-01-01T00:00:00Z',
      deploymentReadyTimestamp: '1970-01-01T00:00:00Z',
      history: [{ cause: 'spec-change', from: x, to: y, outcome: 'promoted', restoredFrom: 's3://sp/1' }],
    });
    expect(story.status.history?.[0]?.because).toBe('The template changed (image)');
    expect(story.status.history?.[0]?.steps?.map(({ phase }) => phase)).toEqual([
      'savepointing',
      'starting',
      'switching',
      'draining',
      'retiring',
    ]);
  });

  it('says what happens as it happens', () => {
    const story = serving(x, routed).edit(image('app:2'));
    story.events.length = 0;
    play(story);
    expect(story.events.map((event) => event.split(': ')[0])).toEqual([
      'SpecChanged',
      'TrafficMoved',
      'TransitionCompleted',
    ]);
    expect(story.events[0]).toContain(
      'TRANSITION change(s) detected (Diff: FlinkDeploymentSpec[image : app:1 -> app:2])',
    );
    expect(story.events[2]).toBe(`TransitionCompleted: The transition is complete: ${story.y.toLowerCase()} serves.`);
  });

  it('gives both sides the labels that are asked for meanwhile', () => {
    const labelled: Edit = (old) => ({ ...old, template: { ...old.template, metadata: { labels: { team: 'a' } } } });
    const story = starting(x, edited(stateful, configured({ promotion: 'manual' })));
    story.becomes(story.y, 'ready').settle();
    const made = story.side(story.y).ref.uid;
    story.edit(labelled).settle();
    expect(story.phase).toBe('verifying');
    for (const color of colors) expect(story.side(color).labels).toMatchObject({ team: 'a' });
    expect(story.side(story.y).ref.uid).toBe(made);
  });

  it('costs few writes', () => {
    const story = serving(x, routed).edit(image('app:2'));
    play(story);
    expect(story.deeds.filter((deed) => deed.do === 'status').length).toBeLessThanOrEqual(10);
  });

  it('and back again carries state each time', () => {
    const story = serving(x, routed).edit(image('app:2'));
    play(story);
    play(story.edit(image('app:3')));
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.side(x).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://sp/2' } });
    expect(story.view.sides[story.y]).toBeUndefined();
  });

  it('waits out the deletion delay with both sides there', () => {
    const story = draining(x);
    expect(story.phase).toBe('draining');
    expect(story.status.serving?.color).toBe(story.y);
    const { wakeAt = 0 } = story.passes(4_999).settle();
    expect(wakeAt - story.view.now).toBe(1);
    expect(story.side(x).terminating).toBe(false);
    story.passes(1).settle();
    expect(story.side(x).terminating).toBe(true);
  });

  it('does not delete x before the Ingress is seen to lead to y', () => {
    const story = starting(x, routed);
    const { ingress } = story.view;
    story.becomes(story.y, 'ready').look();
    story.now({ ingress });
    for (let looks = 0; looks < 3; looks += 1) {
      expect(story.phase).toBe('switching');
      expect(story.look().actions.map((action) => action.do)).toContain('apply');
      story.now({ ingress });
    }
    expect(story.side(x).terminating).toBe(false);
    play(story);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });

  it('does not promote a y that has yet to take up a change', () => {
    const story = starting(x);
    const { generation } = story.side(story.y);
    story.becomes(story.y, 'ready', { observedGeneration: generation - 1 }).settle();
    expect(story.phase).toBe('starting');
    story.becomes(story.y, 'ready').settle();
    expect(story.side(x).terminating).toBe(true);
  });

  it('does not delete x while y has yet to take up a change', () => {
    const story = retiring(x);
    const { generation } = story.side(story.y);
    story.seen(story.y, { generation: generation + 1 }).settle();
    expect(story.side(x).terminating).toBe(false);
    story.becomes(story.y, 'ready').settle();
    expect(story.side(x).terminating).toBe(true);
  });

  it('writes the intent before it deletes x, by uid and version', () => {
    const story = draining(x).passes(5_000);
    const { actions } = story.look(1);
    const { ref } = story.side(x);
    expect(actions.map((action) => action.do)).toEqual(['status', 'delete']);
    expect(actions[1]).toEqual({ do: 'delete', of: ref });
    expect(story.status.transition?.retire?.uid).toBe(ref.uid);
  });

  it('asks for the deletion of x again when x changed meanwhile', () => {
    const story = draining(x).passes(5_000);
    story.look(1);
    story.becomes(x, 'ready').look();
    expect(story.side(x).terminating).toBe(true);
  });

  it('ends the same wherever the operator dies', () => {
    const given = () =>
      serving(x, edited(routed, configured({ 'deployment-deletion.delay': '5 s' }))).edit(image('app:2'));
    play(given()).forEach((actions, look) => {
      for (let action = 0; action < actions; action += 1) {
        const story = given();
        play(story, { crash: { look, action } });
        expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
        expect(story.view.snapshots).toHaveLength(1);
        expect(new Set(story.done())).toEqual(new Set([`create ${word(story.y)}`, `delete ${word(x)}`]));
        expect(story.status.history).toHaveLength(1);
        expect(story.view.ingress?.backends).toEqual([`${word(story.y)}-rest`]);
      }
    });
  });

  it('says why the API server refuses y, and is given up in time', () => {
    const story = serving(x, stateless).edit(image('app:2'));
    const create = story.look(1).actions.find((action) => action.do === 'create');
    if (!create) throw new Error('nothing is made');
    const at = story.view.now;
    const refused = { result: 'refused' as const, at, since: at, of: actionDigest(create), message: 'no quota' };
    story
      .now({ outcomes: { [`create flink.apache.org/v1beta1 FlinkDeployment shop/${word(story.y)}`]: refused } })
      .look(1);
    expect(story.jobState).toBe('FAILING');
    expect(story.status.error).toBe(`${word(story.y)} was refused: no quota`);
    story.passes(600_000).look(1);
    expect(story.state).toBe(`ACTIVE_${x}`);
  });

  it('does not show the edit of a transition as lost: it is recorded once y serves', () => {
    const story = retiring(x);
    expect(story.status.lastReconciledSpec).toContain('app:1');
    story.gone(x).settle();
    expect(story.status.lastReconciledSpec).toContain('app:2');
  });
});

describe.each(colors)('an edit during a transition from %s', (x) => {
  it('takes another savepoint when the restored job may have deleted the one before', () => {
    const claim = flinkConfigured({ 'execution.state-recovery.claim-mode': 'CLAIM' });
    const story = starting(x, edited(stateful, claim)).edit(image('app:3'));
    play(story);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/2');
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
  });

  it('takes another savepoint also when the edit gives the claim up', () => {
    const claim = (mode: string) => flinkConfigured({ 'execution.state-recovery.claim-mode': mode });
    const story = starting(x, edited(stateful, claim('CLAIM'))).edit(claim('NO_CLAIM'));
    play(story);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/2');
  });

  it('takes another savepoint when x is another one than it was, under the same job id', () => {
    const story = starting(x);
    const { ref, status } = story.side(x);
    story.seen(x, { ref: { ...ref, uid: 'another' }, status }).edit(image('app:3'));
    play(story);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/2');
  });

  it('starts from what there is when x is gone, though the job before may have claimed it', () => {
    const claim = flinkConfigured({ 'execution.state-recovery.claim-mode': 'CLAIM' });
    const story = starting(x, edited(stateful, claim)).gone(x).edit(image('app:3'));
    play(story);
    expect(story.side(story.y).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://sp/1' } });
  });

  it('finds the savepoint again when x is gone and state is needed after all', () => {
    const story = starting(x)
      .gone(x)
      .edit(image('app:3'), job({ upgradeMode: 'stateless' }));
    story.settle();
    story.gone(story.y).settle();
    expect(story.side(story.y).spec.job).not.toHaveProperty('initialSavepointPath');
    story.edit(image('app:4'), job({ upgradeMode: 'savepoint' }));
    play(story);
    expect(story.side(story.y).spec).toMatchObject({ image: 'app:4', job: { initialSavepointPath: 's3://sp/1' } });
  });

  it('says so when x is gone and no state is known at all', () => {
    const story = startingEmpty(x)
      .gone(x)
      .edit(image('app:3'), job({ upgradeMode: 'savepoint' }));
    play(story);
    expect(story.condition('Stalled')?.reason).toBe('StateUnknown');
    expect(story.view.sides[story.y]).toBeUndefined();
  });

  it('starts empty when it makes the job stateless', () => {
    const story = starting(x).edit(image('app:3'), job({ upgradeMode: 'stateless' }));
    play(story);
    expect(story.side(story.y).spec.job).not.toHaveProperty('initialSavepointPath');
  });

  it('takes a savepoint when state is newly needed', () => {
    const directories = flinkConfigured({ 'a.b': 'c' });
    const story = startingEmpty(x).edit(image('app:3'), job({ upgradeMode: 'savepoint' }), directories);
    play(story);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/1');
  });

  it('of several in a row the last is made, once', () => {
    const story = starting(x).edit(image('app:3'));
    story.look();
    story.edit(image('app:4')).look();
    story.gone(story.y).edit(image('app:5'));
    play(story);
    expect(story.side(story.y).spec).toMatchObject({ image: 'app:5', job: { initialSavepointPath: 's3://sp/1' } });
    expect(story.done().filter((deed) => deed.startsWith('create'))).toHaveLength(2);
  });

  it('goes to a third side after y when x is only kept or about to go', () => {
    const story = retiring(x).edit(image('app:3'));
    play(story);
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.side(x).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://sp/2' } });
  });

  it('suspends y after the transition, whatever phase it comes in', () => {
    for (const given of [starting, draining, retiring]) {
      const story = given(x).edit(job({ state: 'suspended' }));
      play(story);
      expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} SUSPENDED`);
      expect(story.view.sides[x]).toBeUndefined();
    }
  });

  it('of the configuration takes effect at once, without another y', () => {
    const story = draining(x).edit(configured({ 'deployment-deletion.delay': '0 s' }));
    story.settle();
    expect(story.side(x).terminating).toBe(true);
  });

  it('reaches the other side also while a savepoint is being taken', () => {
    const story = savepointing(x).edit(job({ parallelism: 9 }));
    play(story);
    expect(story.side(story.y).spec).toMatchObject({ image: 'app:2', job: { parallelism: 9 } });
    expect(story.view.snapshots).toHaveLength(1);
  });
});

describe('a resource that is being deleted', () => {
  it.each<[string, () => Story]>([
    ['INITIALIZING_BLUE', () => new Story(viewOf(stateful))],
    ['ACTIVE_BLUE', () => serving('BLUE', routed).edit(image('app:2'))],
    ['SAVEPOINTING_BLUE', () => savepointing('BLUE', routed).completed()],
    ['TRANSITIONING_TO_GREEN', () => starting('BLUE', routed).becomes('GREEN', 'ready')],
    ['TRANSITIONING_TO_GREEN, retiring', () => retiring('BLUE', routed)],
  ])('makes nothing any more in %s', (_, given) => {
    const story = given();
    const { resource } = story.view;
    const metadata = { ...resource.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(story.now({ resource: { ...resource, metadata } }).look().actions).toEqual([]);
  });
});
