import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import { other } from '../../decide/bluegreen/blue-green-case.ts';
import { serving as served } from '../../decide/bluegreen/story.fixture.ts';
import { configured, edited, image, resourceOf, start, stateful } from '../../decide/bluegreen/view.fixture.ts';
import { views } from '../../decide/bluegreen/views.fixture.ts';
import { blueGreenPhases, colors } from '../../resources/blue-green-transition.ts';
import { blueGreenStates } from '../../resources/flink-blue-green-deployment.ts';
import { aroundOf, unreadable } from '../around.fixture.ts';
import { portrayBlueGreen } from './portrait.ts';
import { summarizeBlueGreen } from './summary.ts';
import { aroundView, operator } from './world.fixture.ts';

const at = new Date(start - 60_000).toISOString();
const around = aroundOf(start);

function withStatus(status: unknown, spec: unknown = stateful): AnyObject {
  return { ...resourceOf(stateful), spec, status } as AnyObject;
}

function transition(phase: string, to: 'BLUE' | 'GREEN', first = false) {
  return {
    id: 'uid-1-2',
    cause: first ? 'first-deployment' : 'spec-change',
    because: 'The template changed (image)',
    generation: 2,
    ...(!first && { from: other(to) }),
    to,
    phase,
    startedAt: at,
    phaseStartedAt: at,
  };
}

const ahead = ['switching', 'draining', 'keeping', 'retiring'];

describe('the five answers', () => {
  describe.each(blueGreenPhases)('in the phase %s', (phase) => {
    it.each(colors)('name the side that serves, and are never empty, on the way to %s', (to) => {
      for (const promotion of ['manual', 'automatic']) {
        const spec = edited(stateful, configured({ promotion, 'rollback-window': '1 h' }));
        const { answers, serving, state } = portrayBlueGreen(
          withStatus({ transition: transition(phase, to) }, spec),
          around,
          operator,
        );
        const color = (ahead.includes(phase) ? to : other(to)).toLowerCase();
        expect(answers.serves).toMatch(new RegExp(`^${color} serves`));
        expect(serving).toBe(color);
        expect(blueGreenStates).toContain(state);
        for (const answer of Object.values(answers)) expect(answer.length).toBeGreaterThan(10);
        expect(Object.values(answers).join(' ')).not.toMatch(/undefined|NaN|\[object/);
      }
    });

    it('say in the first deployment that nothing serves yet', () => {
      const { answers, serving } = portrayBlueGreen(
        withStatus({ transition: transition(phase, 'BLUE', true) }),
        around,
        operator,
      );
      expect(serving).toBe('nothing');
      expect(answers.serves).toContain('Nothing serves yet: blue');
      for (const answer of Object.values(answers)) expect(answer.length).toBeGreaterThan(10);
    });
  });

  it.each(blueGreenStates)('are given for %s without any record', (blueGreenState) => {
    const { answers, state, serving } = portrayBlueGreen(withStatus({ blueGreenState }), around, operator);
    expect(state).toBe(blueGreenState);
    for (const answer of Object.values(answers)) expect(answer.length).toBeGreaterThan(10);
    if (blueGreenState === 'INITIALIZING_BLUE') return;
    const color = blueGreenState.endsWith('GREEN') ? 'green' : 'blue';
    const other = color === 'green' ? 'blue' : 'green';
    expect(serving).toBe(blueGreenState.startsWith('TRANSITIONING') ? other : color);
    expect(answers.serves).toContain(serving);
  });

  it('follow a transition from the edit to its end', () => {
    const story = served('BLUE', edited(stateful, configured({ promotion: 'manual' })));
    const told = () => portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator);
    expect(told()).toMatchObject({ phase: 'healthy', serving: 'blue', inTransition: false });
    expect(told().answers.changing).toContain('Nothing: blue has the newest template');
    story.edit(image('app:2')).settle();
    expect(told()).toMatchObject({ phase: 'progressing', state: 'SAVEPOINTING_BLUE', inTransition: true });
    expect(told().answers.progress).toContain('A savepoint of blue is being taken');
    story.completed().settle();
    expect(told()).toMatchObject({ phase: 'progressing', state: 'TRANSITIONING_TO_GREEN' });
    expect(told().answers.progress).toMatch(/green is starting.*Green is given up in 10m/);
    expect(told().sides).toMatchObject([
      { name: 'blue', role: 'serving', phase: 'healthy' },
      { name: 'green', role: 'next', phase: 'progressing' },
    ]);
    expect(told().deadlines).toEqual([{ what: 'green is given up', at: new Date(start + 600_000).toISOString() }]);
    story.becomes('GREEN', 'ready').settle();
    expect(told()).toMatchObject({ phase: 'waiting', serving: 'blue' });
    expect(told().needsYou).toContain('`cutover promote bluegreen/counter -n shop`');
    expect(told().steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'savepointing done',
      'starting done',
      'verifying current',
      'switching pending',
      'draining pending',
      'retiring pending',
    ]);
  });

  it('tell of an abort why it was, and what to do', () => {
    const story = served('BLUE', stateful);
    story.edit(image('app:2')).settle();
    story.completed().settle();
    story.becomes('GREEN', 'failing').passes(600_001).settle();
    const portrait = portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator);
    expect(portrait).toMatchObject({ phase: 'degraded', serving: 'blue', state: 'ACTIVE_BLUE' });
    expect(portrait.needsYou).toContain('aborted: not ready by');
    expect(portrait.needsYou).toContain('`cutover retry bluegreen/counter -n shop`');
    expect(portrait.sides.map(({ name, role }) => `${name} ${role}`)).toEqual(['blue serving', 'green idle']);
    expect(portrait.steps.at(-1)).toMatchObject({ name: 'starting', status: 'failed' });
    expect(portrait.history).toMatchObject([{ outcome: 'aborted', good: false, what: 'blue → green' }]);
  });

  it('tell of savepoints that fail, and what to do', () => {
    const story = served('BLUE', stateful);
    story.edit(image('app:2')).settle();
    story.savepoint({ state: 'FAILED', error: 'the disk is full' }).settle();
    const portrait = portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator);
    expect(portrait).toMatchObject({ phase: 'progressing', state: 'SAVEPOINTING_BLUE' });
    expect(portrait.needsYou).toMatch(/^Savepoints of blue fail: .*disk is full.*cutover abort bluegreen\/counter/);
    expect(portrait.answers.progress).toContain('failed once');
    expect(portrait.deadlines).toMatchObject([{ what: 'the savepoint is tried again' }]);
    expect(portrait.steps[0]).toMatchObject({ name: 'savepointing', status: 'current' });
    expect(portrait.steps[0]?.info).toContain('disk is full');
  });

  it('tell of an edit that waits for a side that is not well, and how to go on', () => {
    const story = served('BLUE', stateful);
    story.edit(image('app:2'));
    story.becomes('BLUE', 'failing').settle();
    const portrait = portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator);
    expect(portrait).toMatchObject({ phase: 'failed', state: 'ACTIVE_BLUE', inTransition: false });
    expect(portrait.needsYou).toContain('No savepoint can be taken');
    expect(portrait.answers.changing).toContain('No savepoint can be taken');
    expect(portrait.answers.next).toContain('`cutover restart bluegreen/counter --stateless -n shop`');
  });

  it('tell of a serving side that somebody deleted', () => {
    const story = served('BLUE', stateful);
    story.gone('BLUE').settle();
    const portrait = portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator);
    expect(portrait).toMatchObject({ phase: 'failed', serving: 'nothing' });
    expect(portrait.needsYou).toContain('counter-blue was deleted');
    expect(portrait.answers.next).toContain('savepointRedeployNonce');
    expect(portrait.sides).toMatchObject([{ name: 'blue', role: 'serving', phase: 'unknown', state: 'not there' }]);
  });

  it('tell that traffic returns by itself when the new side is not well any more', () => {
    const story = served('BLUE', edited(stateful, configured({ 'deployment-deletion.delay': '1 h' })));
    story.edit(image('app:2')).settle();
    const early = portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator);
    expect(early.sides[1]).toMatchObject({ name: 'green', role: 'next', phase: 'progressing', state: 'not made yet' });
    story.completed().settle();
    story.becomes('GREEN', 'ready').settle();
    story.becomes('GREEN', 'failing').settle();
    const portrait = portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator);
    expect(portrait).toMatchObject({ phase: 'failed', serving: 'nothing' });
    expect(portrait.deadlines[0]).toMatchObject({ what: 'traffic returns to blue' });
    expect(portrait.sides).toMatchObject([
      { name: 'green', role: 'serving', phase: 'failed' },
      { name: 'blue', role: 'old', phase: 'healthy' },
    ]);
  });

  it('tell that nothing serves when the side that has the traffic is lost', () => {
    const story = served('BLUE', stateful);
    story.becomes('BLUE', 'failed').settle();
    const portrait = portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator);
    expect(portrait).toMatchObject({ phase: 'failed', serving: 'nothing' });
    expect(portrait.answers.serves).toContain('Nothing serves: traffic is led to blue');
    expect(portrait.needsYou).toContain('unhealthy');
    expect(portrait.answers.next).toContain('Mend blue');
  });

  it('tell of a refused edit', () => {
    const story = served('BLUE', stateful);
    story.edit((spec) => ({ ...spec, configuration: { 'kubernetes.operator.bluegreen.promotion': 'sometimes' } }));
    story.settle();
    const { phase, needsYou, answers } = portrayBlueGreen({ ...story.view.resource }, aroundView(story.view), operator);
    expect(phase).toBe('degraded');
    expect(needsYou).toContain('The specification is refused');
    expect(answers.serves).toContain('blue serves');
    expect(answers.changing).toContain('refused');
  });

  it('tell who stands in the way when another operator manages the object', () => {
    const condition = { type: 'ManagedElsewhere', status: 'True', reason: 'LeaseAlive', lastTransitionTime: at };
    const status = {
      blueGreenState: 'ACTIVE_BLUE',
      conditions: [{ ...condition, message: 'Another controller is alive.' }],
    };
    const { phase, needsYou, answers } = portrayBlueGreen(withStatus(status), around, operator);
    expect(phase).toBe('waiting');
    expect(needsYou).toBe('Another controller is alive.');
    expect(answers.next).toBe('Another controller is alive.');
  });

  it('are given for every view that can be, and for what nobody should have written', () => {
    fc.assert(
      fc.property(views, (view) => {
        const object = { ...view.resource } as AnyObject;
        for (const near of [aroundView(view), unreadable(view.now)]) {
          const { answers, sides, headline } = portrayBlueGreen(object, near, operator);
          for (const answer of [...Object.values(answers), headline]) {
            expect(answer.trim()).not.toBe('');
            expect(answer).not.toMatch(/undefined|NaN|\[object/);
          }
          expect(sides.filter(({ role }) => role === 'serving').length).toBeLessThan(2);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('are given for any JSON in place of spec and status', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (spec, status) => {
        const object = { ...resourceOf(stateful), spec, status } as unknown as AnyObject;
        expect(summarizeBlueGreen(object, operator).headline).not.toBe('');
        for (const answer of Object.values(portrayBlueGreen(object, around, operator).answers)) {
          expect(answer).not.toBe('');
        }
      }),
    );
  });
});
