import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annotations } from './keys.ts';
import { workloadName } from './names.ts';
import { bumpedAtDeployment, bumpedAtStop, returnedTo, revisionsOf, unbumpedStop } from './revision.ts';

interface App {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly desiredState: 'STARTED' | 'STOPPED' };
}

function app(appRev?: string, lastStopAppRev?: string, highest?: string): App {
  const written = {
    [annotations.appRev]: appRev,
    [annotations.lastStopAppRev]: lastStopAppRev,
    [annotations.highestAppRev]: highest,
  };
  const present = Object.entries(written).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { metadata: { annotations: Object.fromEntries(present) }, spec: { desiredState: 'STARTED' } };
}

function written(before: App, revisions: Readonly<Record<string, string>>, desiredState?: 'STARTED' | 'STOPPED'): App {
  return {
    metadata: { annotations: { ...before.metadata.annotations, ...revisions } },
    spec: { desiredState: desiredState ?? before.spec.desiredState },
  };
}

const pair = ({ appRev, lastStopAppRev }: { appRev: number; lastStopAppRev: number }): string =>
  `${appRev} ${lastStopAppRev}`;

describe('seed 002', () => {
  const process = 'adf88d59-873a-5df1-860b-00b9853c23b5';
  const name = (of: App): string => workloadName(process, String(revisionsOf(of).lastStopAppRev));

  it('bumps both annotations when the app is stopped, after which they have the same value', () => {
    const stopped = written(app('4', '2'), bumpedAtStop(app('4', '2')), 'STOPPED');
    expect(stopped.metadata.annotations).toMatchObject({
      [annotations.appRev]: '5',
      [annotations.lastStopAppRev]: '5',
    });
  });

  it('bumps only app-rev for a deployment, the only case in which the two differ', () => {
    const deployed = written(app('4', '4'), bumpedAtDeployment(app('4', '4')));
    expect(deployed.metadata.annotations).toMatchObject({
      [annotations.appRev]: '5',
      [annotations.lastStopAppRev]: '4',
    });
  });

  it('names the workload anew if and only if the app was stopped', () => {
    const running = app('4', '4');
    expect(name(written(running, bumpedAtStop(running)))).not.toBe(name(running));
    expect(name(written(running, bumpedAtDeployment(running)))).toBe(name(running));
    const rolled = written(running, bumpedAtDeployment(running));
    expect(name(written(rolled, returnedTo(rolled, 4)))).toBe(name(running));
  });

  it('leaves the names of legacy apps as they are: before the first stop the last one is app-rev', () => {
    expect(pair(revisionsOf(app('3')))).toBe('3 3');
    expect(bumpedAtDeployment(app('3'))[annotations.lastStopAppRev]).toBe('3');
  });
});

describe('revisions that nobody could have written', () => {
  it.each([
    ['nothing at all', app(), '0 0', '1'],
    ['no number', app('abc', 'x'), '0 0', '1'],
    ['a negative number', app('-3', '-3'), '0 0', '1'],
    ['a fraction', app('1.5', '1.5'), '0 0', '1'],
    ['an exponent', app('1e3', '1'), '0 1', '2'],
    ['an empty text', app('', ''), '0 0', '1'],
    ['blanks', app(' 4 ', '2'), '0 2', '3'],
    ['more than can be counted', app('99999999999999999999', '1'), '0 1', '2'],
    ['a stop after the newest revision', app('3', '7'), '3 7', '8'],
  ])('%s: the app can still be stopped', (_what, damaged, seen, next) => {
    expect(pair(revisionsOf(damaged))).toBe(seen);
    expect(bumpedAtStop(damaged)[annotations.appRev]).toBe(next);
  });
});

describe('a stop', () => {
  const seenStarted = (of: App) => ({
    observedDesiredState: 'STARTED',
    observedLastStopAppRev: String(revisionsOf(of).lastStopAppRev),
  });

  it.each([
    ['that was bumped in the same write', written(app('1', '0'), bumpedAtStop(app('1', '0')), 'STOPPED'), false],
    ['that only changed the state', written(app('1', '0'), {}, 'STOPPED'), true],
    ['that did not happen', app('1', '0'), false],
  ])('%s', (_what, after, expected) => {
    expect(unbumpedStop(after, seenStarted(app('1', '0')))).toBe(expected);
  });

  it('is not one of an app that was never seen started', () => {
    const stopped = written(app('1', '0'), {}, 'STOPPED');
    expect(unbumpedStop(stopped, undefined)).toBe(false);
    expect(unbumpedStop(stopped, { observedDesiredState: 'STOPPED', observedLastStopAppRev: '0' })).toBe(false);
    // As another controller left it, which knows nothing of the other half.
    expect(unbumpedStop(stopped, { observedDesiredState: 'STARTED' })).toBe(false);
  });

  it('is bumped exactly once, whoever bumps, and no revision is ever given twice', () => {
    const rev = fc.oneof(fc.nat({ max: 20 }).map(String), fc.constantFrom('x', '', '-1', undefined));
    const deed = fc.constantFrom('stop', 'kubectl stop', 'start', 'deploy', 'cancel', 'observe');
    fc.assert(
      fc.property(rev, rev, fc.array(deed, { maxLength: 40 }), (appRev, lastStop, deeds) => {
        let current = app(appRev, lastStop);
        let seen: Parameters<typeof unbumpedStop>[1];
        const given = new Set([revisionsOf(current).highest]);
        let previous = revisionsOf(current).appRev;
        let [stops, bumps] = [0, 0];
        const give = (revisions: Readonly<Record<string, string>>): void => {
          const next = Number(revisions[annotations.appRev]);
          expect(given.has(next)).toBe(false);
          given.add(next);
          current = written(current, revisions);
        };
        const observe = (crash: boolean): void => {
          if (unbumpedStop(current, seen)) {
            give(bumpedAtStop(current));
            bumps += 1;
            if (crash) return;
          }
          seen = { ...seenStarted(current), observedDesiredState: current.spec.desiredState };
        };
        for (const next of deeds) {
          const started = current.spec.desiredState === 'STARTED';
          if (next === 'stop' && started) {
            give(bumpedAtStop(current));
            current = written(current, {}, 'STOPPED');
            stops += 1;
            bumps += 1;
          } else if (next === 'kubectl stop' && started) {
            // Seen before and after: faster flips than one look are the limit without the webhook.
            observe(false);
            current = written(current, {}, 'STOPPED');
            stops += 1;
            // Bumped, and the process dies before it can write that down; then another one looks.
            observe(true);
            observe(false);
          } else if (next === 'start') {
            current = written(current, {}, 'STARTED');
          } else if (next === 'deploy' && started) {
            previous = revisionsOf(current).appRev;
            give(bumpedAtDeployment(current));
          } else if (next === 'cancel' && started) {
            const { lastStopAppRev } = revisionsOf(current);
            current = written(current, returnedTo(current, previous));
            expect(revisionsOf(current).lastStopAppRev).toBe(lastStopAppRev);
          } else if (next === 'observe') {
            observe(false);
          }
          expect(bumps).toBe(stops);
        }
      }),
    );
  });
});
