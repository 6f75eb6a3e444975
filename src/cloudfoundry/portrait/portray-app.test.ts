import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Portrait } from '../../portrait/portrait.ts';
import { app, around, deployment, pod, web } from './app.fixture.ts';
import { portrayApp } from './portray-app.ts';
import { summarizeApp } from './summarize-app.ts';

const mark = { guid: 'd', appRev: 4, previous: { appRev: 3, droplet: 'droplet-a' } };
const rolling = app({ appRev: 4, lastStop: 3, mark, ready: false });
const active = deployment('d', {}, { value: 'ACTIVE', reason: 'DEPLOYING', appRev: '4' });
const canary = app({ appRev: 4, lastStop: 3, mark, ready: false, waits: true });
const waiting = deployment(
  'd',
  { strategy: 'canary', steps: [{ instanceWeight: 20 }] },
  { value: 'ACTIVE', reason: 'PAUSED', appRev: '4', step: 1 },
);

const situations: readonly [what: string, object: AnyObject, phase: string, headline: RegExp][] = [
  ['runs', app(), 'healthy', /Revision 3 runs on all/],
  [
    'is stopped',
    app({ spec: { desiredState: 'STOPPED' }, status: { actualState: 'STOPPED' } }),
    'suspended',
    /Stopped/,
  ],
  ['is being stopped', app({ spec: { desiredState: 'STOPPED' }, ready: false }), 'progressing', /being stopped/],
  ['has no droplet', app({ spec: { currentDropletRef: undefined }, ready: false }), 'failed', /cannot run/],
  ['starts', app({ ready: false, status: { actualState: 'STOPPED' } }), 'progressing', /is being started/],
  ['rolls', rolling, 'progressing', /^Revision 4 replaces revision 3, instance by instance\.$/],
  [
    'does not come up while the old one serves',
    app({ appRev: 4, lastStop: 3, mark, ready: false, message: 'web: Revision 4 does not come up: crash' }),
    'degraded',
    /does not come up: crash/,
  ],
  ['waits after its canary', canary, 'waiting', /waits for somebody/],
  ['goes back', app({ mark: { ...mark, canceled: true }, ready: false }), 'progressing', /was canceled/],
  ['is being deleted', app({ metadata: { deletionTimestamp: 'x' } }), 'deleting', /being deleted/],
  [
    'is paused by a person',
    app({ metadata: { annotations: { 'cutover.dev/paused': 'true' } } }),
    'paused',
    /leaves it alone/,
  ],
];

describe('an app that', () => {
  it.each(situations)('%s', (_, object, phase, headline) => {
    const seen = portrayApp(object, around(web, active, pod(0, 3), pod(1, 3), pod(2, 4, false)));
    expect(seen.phase).toBe(phase);
    expect(seen.headline).toMatch(headline);
    for (const answer of Object.values(seen.answers)) expect(answer).toMatch(/\S/);
    // The fleet and the page never tell two stories.
    expect(summarizeApp(object)).toMatchObject({ phase, headline: seen.headline, state: seen.state });
  });
});

describe('a roll', () => {
  const seen = (): Portrait => portrayApp(rolling, around(web, active, pod(0, 3), pod(1, 3), pod(2, 4)));

  it('shows both revisions, the one that serves first', () => {
    expect(seen().sides.map(({ name, role, state }) => [name, role, state])).toEqual([
      ['revision 3', 'serving', '2 of 2 ready'],
      ['revision 4', 'next', '1 of 1 ready'],
    ]);
  });

  it('answers the five questions', () => {
    const { answers } = seen();
    expect(answers.serves).toBe('2 instances of revision 3 and 1 instance of revision 4 serve.');
    expect(answers.changing).toBe('Revision 4 replaces revision 3: a rolling deployment, for a new droplet.');
    expect(answers.progress).toBe('1 of 3 instances of revision 4 ready.');
    expect(answers.ifStopped).toMatch(/go back to revision 3 one by one; it serves all the while/);
    expect(answers.next).toBe('Wait; or `cutover abort app/shop -n space` to go back.');
  });

  it('tells of every pod why it goes', () => {
    expect(
      seen().pods.map(({ name, reasons }) => [name, reasons.find(({ when }) => when === 'will')?.sentence]),
    ).toEqual([
      ['shop-3-0', 'revision 4 takes its place once an instance of it is ready'],
      ['shop-3-1', 'revision 4 takes its place once an instance of it is ready'],
      ['shop-4-2', undefined],
    ]);
  });

  it('is marked in the machine, and its cause names the droplets', () => {
    expect(seen().machine?.states.filter(({ current }) => current)).toEqual([{ name: 'DEPLOYING', current: true }]);
    expect(seen().cause).toMatchObject({ changes: [{ from: 'droplet-a', to: 'droplet-b' }] });
  });
});

describe('a canary', () => {
  it('waits at its step, and says who may let it go on', () => {
    const seen = portrayApp(canary, around(web, waiting, pod(0, 3), pod(1, 3), pod(2, 3), pod(3, 4)));
    expect(seen.steps.map(({ name, status }) => [name, status])).toEqual([
      ['prepare', 'current'],
      ['canary-1', 'pending'],
      ['web', 'pending'],
      ['finish', 'pending'],
    ]);
    expect(seen.needsYou).toMatch(/promote or abort/);
    expect(seen.answers.next).toMatch(/^`cutover promote app\/shop -n space` .* `cutover abort app\/shop -n space`/);
  });
});

describe('history', () => {
  it('holds what has ended, the newest first, and how', () => {
    const ended = deployment('old', {}, { value: 'FINALIZED', reason: 'DEPLOYED', appRev: '3', finalizedAt: 'x' });
    const { history } = portrayApp(app(), around(web, ended));
    expect(history).toMatchObject([{ id: 'old', what: 'revision 3', outcome: 'DEPLOYED', good: true }]);
  });
});

describe('whatever stands in an app', () => {
  it.each<[what: string, object: unknown]>([
    ['nothing', { apiVersion: 'a', kind: 'CFApp', metadata: {} }],
    ['a status of text', { ...app(), status: 'x' }],
    ['conditions that are none', { ...app(), status: { conditions: 7 } }],
    ['conditions of nulls', { ...app(), status: { conditions: [null, 3, {}] } }],
    ['a spec of text', { ...app(), spec: 'x' }],
    ['a mark that cannot be read', app({ metadata: { annotations: { 'cutover.dev/deployment': '{' } } })],
  ])('it can be shown: %s', (_, object) => {
    const broken = { apiVersion: 'x', kind: 'Pod', metadata: {}, spec: null, status: 5 } as never;
    const seen = portrayApp(object as AnyObject, around(broken, web));
    expect(seen.headline).toMatch(/\S/);
    expect(() => summarizeApp(object as AnyObject)).not.toThrow();
  });
});
