import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Plan } from '../../portrait/plan.ts';
import { app, around, deployment, pod, web } from './app.fixture.ts';
import { planApp } from './plan-app.ts';

const past = deployment(
  'old',
  {},
  { value: 'FINALIZED', reason: 'DEPLOYED', appRev: '3', finalizedAt: '2026-06-01T12:00:30Z' },
);
const beside = around(web, past, pod(0, 3), pod(1, 3), pod(2, 3));
const plan = (after: AnyObject, before: AnyObject | undefined = app()): Plan =>
  planApp({ after, ...(before && { before }) }, beside);

describe('the plan of an edit', () => {
  it.each<[what: string, after: AnyObject, risk: string, serves: string, line: RegExp]>([
    ['of nothing', app(), 'none', 'throughout', /nothing changes/],
    ['of its name', app({ spec: { displayName: 'other' } }), 'quiet', 'throughout', /nothing restarts/],
    ['of its droplet', app({ spec: { currentDropletRef: { name: 'b' } } }), 'quiet', 'throughout', /next revision/],
    ['of its revision', app({ appRev: 4, lastStop: 3 }), 'restart', 'throughout', /one by one/],
    ['that stops it', app({ spec: { desiredState: 'STOPPED' } }), 'disruption', 'interrupted', /does not serve/],
    ['that renews it', app({ appRev: 4, lastStop: 4 }), 'disruption', 'interrupted', /all instances end/],
  ])('%s', (_, after, risk, serves, line) => {
    const seen = plan(after);
    expect(seen).toMatchObject({ risk, availability: { serves } });
    expect(seen.line).toMatch(line);
    expect(seen.problems).toEqual([]);
  });

  it('names the pods that restart, and how long it took before', () => {
    const seen = plan(app({ appRev: 4, lastStop: 3 }));
    expect(seen.restarts).toEqual([
      {
        kind: 'CFProcess',
        name: 'web',
        pods: ['shop-3-0', 'shop-3-1', 'shop-3-2'],
        because: 'another revision takes their place one by one',
      },
    ]);
    expect(seen.estimate).toEqual({ ms: 30_000, basis: 'the last deployment' });
    expect(seen.extra).toBe('1 instance more than usual while it rolls (128 MB)');
    expect(seen.undo).toMatchObject({ possible: true });
  });

  it('of a new app that is to run says that it starts', () => {
    expect(planApp({ after: app() }, beside)).toMatchObject({ risk: 'quiet', changes: [] });
  });

  it('of an app that waits for a droplet says that it starts', () => {
    const waiting = app({ spec: { currentDropletRef: undefined } });
    expect(plan(app(), waiting)).toMatchObject({ risk: 'quiet', line: expect.stringMatching(/start$/) });
  });

  it('of an app that is paused says what it waits for', () => {
    const paused = { metadata: { annotations: { 'cutover.dev/paused': 'true' } } };
    const [before, after] = [{ ...paused, spec: { desiredState: 'STOPPED' } }, paused].map((one) => app(one));
    expect(plan(after as AnyObject, before).waitsFor).toContain('cutover.dev/paused is removed');
    expect(plan(before as AnyObject, after).waitsFor).toBeUndefined();
  });

  it('that ends a pause is what waited for it', () => {
    const held = (appRev: string): AnyObject => {
      const { metadata, ...rest } = app({ status: { revision: { appRev, envSecretName: 's', envNames: [] } } });
      return { ...rest, metadata: { ...metadata, annotations: { ...metadata.annotations, 'cutover.dev/paused': '' } } };
    };
    expect(plan(app(), held('2'))).toMatchObject({ risk: 'restart', changes: [{ from: 'true', to: 'false' }] });
    expect(plan(app(), held('3')).risk).toBe('quiet');
  });

  it('is refused as the webhook would refuse it', () => {
    const { problems } = plan(app({ spec: { desiredState: 'DANCING' } }));
    expect(problems).toMatchObject([{ field: 'spec.desiredState' }]);
  });
});
