import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Summary } from '../../portrait/summary.ts';
import { Tally } from './tally.ts';

const job = { family: 'flink', kind: 'Job' };
const app = { family: 'cf', kind: 'App' };
const object = (condition?: string): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Job',
  metadata: { name: 'a' },
  ...(condition !== undefined && { status: { conditions: [null, { type: condition, status: 'True' }] } }),
});
const summary = (over: Partial<Summary>): Summary => ({
  subject: { family: 'flink', apiVersion: 'v1', kind: 'Job', namespace: 'n', name: 'a', uid: 'u' },
  phase: 'healthy',
  headline: '',
  serving: 'blue',
  inTransition: false,
  ...over,
});

function world() {
  const clock = new VirtualClock(Date.parse('2026-01-01T00:10:00Z'));
  const measured: (readonly [string, string, number])[] = [];
  const tally = new Tally(
    clock,
    {
      phaseEnded: (_, phase, ms) => void measured.push(['phase', phase, ms / 1000]),
      transitionEnded: (_, ended, ms) => void measured.push(['transition', ended, ms / 1000]),
      gapEnded: (_, ms) => void measured.push(['gap', '', ms / 1000]),
    },
    [job, app],
  );
  return { clock, tally, measured };
}

describe('the tally of workloads', () => {
  it('counts every kind, also one of which there is none, and forgets what is gone', () => {
    const { tally } = world();
    tally.is('1', job, summary({ phase: 'waiting', needsYou: 'promote it' }), object());
    tally.is('2', job, summary({}), object('SchemaOutdated'));
    const [jobs, apps] = tally.counts();
    expect(jobs).toMatchObject({
      phase: { waiting: 1, healthy: 1, failed: 0 },
      needed: 1,
      aside: { SchemaOutdated: 1 },
    });
    expect(apps).toMatchObject({ kind: 'App', phase: { healthy: 0 }, needed: 0 });
    tally.gone('1');
    tally.gone('2');
    expect(tally.counts()[0]).toMatchObject({ phase: { waiting: 0, healthy: 0 }, needed: 0 });
  });

  it('leaves out the sides of a workload that speaks for them', () => {
    const { tally } = world();
    tally.is('1', job, summary({ partOf: { kind: 'BlueGreen', name: 'b' } }), object());
    expect(tally.counts()[0]?.phase.healthy).toBe(0);
  });

  it('measures a transition from the time that the workload tells, also one that began before this process', async () => {
    const { clock, tally, measured } = world();
    const moving = summary({ phase: 'progressing', inTransition: true, since: '2026-01-01T00:08:00Z' });
    tally.is('1', job, moving, object());
    expect(tally.counts()[0]?.oldestTransition).toBe(Date.parse('2026-01-01T00:08:00Z'));
    await clock.advance(60_000);
    tally.is('1', job, summary({ phase: 'degraded' }), object());
    expect(measured).toEqual([
      ['phase', 'progressing', 180],
      ['transition', 'degraded', 180],
    ]);
    expect(tally.counts()[0]).toMatchObject({ inTransition: 0 });
    expect(tally.counts()[0]?.oldestTransition).toBeUndefined();
  });

  it('believes no time of the future and none that is no time', () => {
    const { tally, clock } = world();
    for (const [id, since] of Object.entries({ a: '2999-01-01T00:00:00Z', b: 'yesterday' })) {
      tally.is(id, job, summary({ phase: 'progressing', inTransition: true, since }), object());
    }
    expect(tally.counts()[0]?.oldestTransition).toBe(clock.now());
  });

  it('counts no transition that waits for a person as one that takes long', () => {
    const { tally } = world();
    tally.is('1', job, summary({ phase: 'waiting', inTransition: true }), object());
    expect(tally.counts()[0]).toMatchObject({ inTransition: 1 });
    expect(tally.counts()[0]?.oldestTransition).toBeUndefined();
  });

  it('measures a gap only where something served and something should', async () => {
    const { clock, tally, measured } = world();
    tally.is('new', job, summary({ phase: 'progressing', serving: 'nothing' }), object());
    tally.is('asleep', job, summary({}), object());
    tally.is('asleep', job, summary({ phase: 'suspended', serving: 'nothing' }), object());
    expect(tally.counts()[0]?.notServing).toBe(0);
    tally.is('down', job, summary({}), object());
    tally.is('down', job, summary({ phase: 'failed', serving: 'nothing' }), object());
    expect(tally.counts()[0]?.notServing).toBe(1);
    await clock.advance(5_000);
    tally.is('down', job, summary({ phase: 'failed', serving: 'nothing', headline: 'still' }), object());
    await clock.advance(5_000);
    tally.is('down', job, summary({}), object());
    expect(measured.filter(([what]) => what === 'gap')).toEqual([['gap', '', 10]]);
    expect(tally.counts()[0]?.notServing).toBe(0);
  });
});
