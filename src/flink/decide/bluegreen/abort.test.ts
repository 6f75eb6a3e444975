import { describe, expect, it } from 'vitest';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { suspend } from './example.fixture.ts';
import { aborted, starting } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import type { Story } from './story.fixture.ts';
import { configured, edited, image, ingressed, job, patchable, stateful } from './view.fixture.ts';

const word = (color: Color) => `counter-${color.toLowerCase()}`;
const unready = (x: Color, settings: Readonly<Record<string, string>> = {}): Story =>
  starting(x, edited(stateful, ingressed('/{{name}}'), configured(settings)));

describe.each(colors)('a transition from %s that does not come up', (x) => {
  it('is given up at the end of the grace period and not before', () => {
    const story = unready(x);
    const { wakeAt } = story.passes(599_999).settle();
    expect([story.state, wakeAt]).toEqual([`TRANSITIONING_TO_${story.y}`, story.view.now + 1]);
    story.passes(1).settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
  });

  it('is given up as early as configured', () => {
    const story = unready(x, { 'abort.grace-period': '30 s' }).passes(30_000);
    story.settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
  });

  it('leaves x serving and y as it is, whatever state y is in', () => {
    for (const health of ['settling', 'failing', 'failed', 'lost'] as const) {
      const story = unready(x);
      story.becomes(story.y, health, { error: 'no such class' }).passes(600_000).settle();
      expect(story.view.ingress?.backends).toEqual([`${word(x)}-rest`]);
      expect(story.side(story.y)).toMatchObject({ terminating: false, spec: { image: 'app:2' } });
      expect(story.status.serving?.color).toBe(x);
      expect(story.status.error).toContain('no such class');
      expect(story.done()).toEqual([`create ${word(story.y)}`]);
    }
  });

  it('remembers what was given up, resets the markers and says it once', () => {
    const story = aborted(x);
    const { aborted: given, transition, savepointTriggerId, abortTimestamp, deploymentReadyTimestamp } = story.status;
    expect(given).toMatchObject({ color: story.y, uid: story.side(story.y).ref.uid });
    expect(given?.spec).toContain('app:2');
    expect([transition, savepointTriggerId]).toEqual([undefined, undefined]);
    expect([abortTimestamp, deploymentReadyTimestamp]).toEqual(['1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z']);
    story.passes(3_600_000).settle();
    const said = story.events.filter((event) => event.startsWith('TransitionAborted'));
    expect(said).toHaveLength(1);
  });

  it('has no ready timestamp left for the next one: the deletion delay is waited out again', () => {
    const story = unready(x, { 'deployment-deletion.delay': '5 s' });
    story.becomes(story.y, 'ready').settle();
    story.becomes(story.y, 'failed').settle();
    story.passes(600_000).settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
    story.edit(image('app:3')).settle();
    story.gone(story.y).settle();
    story.completed('s3://sp/2').settle();
    story.becomes(story.y, 'ready').settle();
    expect(story.side(x).terminating).toBe(false);
    story.passes(4_999).settle();
    expect(story.side(x).terminating).toBe(false);
    story.passes(1).settle();
    expect(story.side(x).terminating).toBe(true);
  });

  it('is tried again from a fresh savepoint with a fresh y when the template changes', () => {
    const story = aborted(x);
    const { uid } = story.side(story.y).ref;
    story.edit(image('app:3'));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
    expect(story.side(story.y).ref.uid).not.toBe(uid);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/2');
    expect(story.status.error).toBeUndefined();
    expect(story.condition('LeftOver')).toBeUndefined();
  });

  it('is not tried again by edits that act on x alone, and x never gets what was given up', () => {
    const story = aborted(x);
    play(story.edit(patchable('3')));
    play(story.edit(suspend));
    play(story.edit(job({ state: 'running' })));
    play(story.edit(configured({ 'abort.grace-period': '1 h' })));
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} FAILING`);
    expect(story.side(x).spec).toMatchObject({ image: 'app:1', job: { state: 'running' } });
    expect(story.done().filter((deed) => deed.startsWith('create'))).toHaveLength(1);
    play(story.edit(image('app:1')));
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.view.sides[story.y]).toBeUndefined();
    expect(story.condition('ChangedByHand')).toBeUndefined();
  });

  it('suspends or deletes y where that is asked for, and never x', () => {
    const halted = unready(x, { 'abort.action': 'suspend' }).passes(600_000);
    play(halted);
    expect(halted.side(halted.y).spec.job?.state).toBe('suspended');
    expect(halted.done()).not.toContain(`patch ${word(x)}`);
    const deleted = unready(x, { 'abort.action': 'delete' }).passes(600_000);
    play(deleted);
    expect(deleted.view.sides[deleted.y]).toBeUndefined();
    expect(`${deleted.state} ${deleted.jobState}`).toBe(`ACTIVE_${x} FAILING`);
    expect(deleted.side(x).terminating).toBe(false);
  });

  it('tells that x is not well either, instead of that it serves', () => {
    const story = aborted(x);
    expect(story.status.error).toContain('serves on');
    story.becomes(x, 'failing').settle();
    expect(story.status.error).not.toContain('serves on');
    expect(story.condition('Available')?.status).toBe('False');
  });

  it('is given up in time when somebody else has y’s name', () => {
    const story = starting(x);
    story
      .seen(story.y, { owners: ['stranger'] })
      .passes(599_999)
      .settle();
    expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
    expect(story.settle().wakeAt).toBe(story.view.now + 1);
    story.passes(1).settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.status.aborted?.reason).toContain('belongs to somebody else');
    expect(story.side(story.y).terminating).toBe(false);
  });

  it('leaves an x alone that is being deleted by hand', () => {
    const story = aborted(x).seen(x, { terminating: true, terminatingSince: 0 }).edit(suspend);
    story.settle();
    expect(story.done()).not.toContain(`patch ${word(x)}`);
  });

  it('is not given up while x is gone: forward only', () => {
    const story = unready(x).gone(x).passes(600_000);
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe(`TRANSITIONING_TO_${story.y} FAILING`);
    story.edit(image('app:3'));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
    expect(story.side(story.y).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://sp/1' } });
  });

  it('is given up, late, when a dead x has recovered', () => {
    const story = unready(x).becomes(x, 'lost').passes(600_000);
    story.settle();
    expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
    story.becomes(x, 'ready').settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
  });

  it('ends the same wherever the operator dies', () => {
    const given = () => {
      const story = unready(x, { 'abort.action': 'suspend' }).passes(600_000);
      return story.becomes(story.y, 'failed');
    };
    play(given()).forEach((actions, look) => {
      for (let action = 0; action < actions; action += 1) {
        const story = given();
        play(story, { crash: { look, action } });
        expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} FAILING`);
        expect(story.side(story.y).spec.job?.state).toBe('suspended');
        expect(story.status.history).toHaveLength(1);
      }
    });
  });
});
