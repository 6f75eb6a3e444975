import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../kube/object.ts';
import { deploymentStatus } from '../../decide/deployment-status.ts';
import { type DeploymentMark, deploymentMark, markText } from '../../deployment-mark.ts';
import { annotations } from '../../keys.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import type { CfDeployment } from '../../resources/cf-deployment.ts';
import { revisionsOf } from '../../revision.ts';
import { beginDeployment } from './begin-deployment.ts';
import { cancelDeployment } from './cancel-deployment.ts';
import { start } from './start.ts';
import { stop } from './stop.ts';

function app(appRev: number, spec: Partial<CfApp['spec']> = {}, mark?: DeploymentMark, lastStop = appRev): CfApp {
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'CFApp',
    metadata: {
      name: 'app',
      annotations: {
        [annotations.appRev]: String(appRev),
        [annotations.lastStopAppRev]: String(lastStop),
        ...(mark && { [annotations.deployment]: markText(mark) }),
      },
    },
    spec: {
      displayName: 'app',
      desiredState: 'STARTED',
      lifecycle: { type: 'docker' },
      currentDropletRef: { name: 'one' },
      ...spec,
    },
  };
}

/** What the API server makes of a merge patch; a field that is taken away is left as `null` here. */
function written(before: CfApp, patch: JsonObject | undefined): CfApp {
  const { metadata, spec } = (patch ?? {}) as { metadata?: { annotations?: Record<string, string> }; spec?: object };
  return {
    ...before,
    metadata: { ...before.metadata, annotations: { ...before.metadata.annotations, ...metadata?.annotations } },
    spec: { ...before.spec, ...spec },
  };
}

describe('a deployment on the app', () => {
  it('makes a revision, keeps the last stop, and notes where a cancel returns to', () => {
    const after = written(app(3), beginDeployment(app(3), { guid: 'd1', droplet: 'two', underWay: false }));
    expect(revisionsOf(after)).toEqual({ appRev: 4, lastStopAppRev: 3, highest: 4 });
    expect(after.spec).toMatchObject({ desiredState: 'STARTED', currentDropletRef: { name: 'two' } });
    expect(deploymentMark(after)).toEqual({ guid: 'd1', appRev: 4, previous: { appRev: 3, droplet: 'one' } });
  });

  it('is canceled to exactly where it came from, once', () => {
    const during = written(app(3), beginDeployment(app(3), { guid: 'd1', droplet: 'two', underWay: false }));
    const after = written(during, cancelDeployment(during, 'd1'));
    expect(revisionsOf(after)).toEqual({ appRev: 3, lastStopAppRev: 3, highest: 4 });
    expect(after.spec.currentDropletRef).toEqual({ name: 'one' });
    expect(cancelDeployment(after, 'd1')).toBeUndefined();
    expect(cancelDeployment(during, 'another')).toBeUndefined();
  });

  it('inherits from one under way what that one would have returned to, and remembers the newest ten', () => {
    let now = app(3);
    for (let number = 1; number <= 12; number++) {
      now = written(now, beginDeployment(now, { guid: `d${number}`, droplet: 'two', underWay: number > 1 }));
    }
    const mark = deploymentMark(now);
    expect(mark?.previous).toEqual({ appRev: 3, droplet: 'one' });
    expect(mark?.supersedes).toEqual(['d11', 'd10', 'd9', 'd8', 'd7', 'd6', 'd5', 'd4', 'd3', 'd2']);
  });

  it('returns to what ran before it, when the one before was done', () => {
    const done: DeploymentMark = { guid: 'd1', appRev: 4, previous: { appRev: 3, droplet: 'one' } };
    const before = app(4, { currentDropletRef: { name: 'two' } }, done, 3);
    const after = written(before, beginDeployment(before, { guid: 'd2', droplet: 'three', underWay: false }));
    expect(deploymentMark(after)).toMatchObject({ guid: 'd2', appRev: 5, previous: { appRev: 4, droplet: 'two' } });
  });

  it('names the one before also when a bump by hand had ended it: nothing else says that it ever began', () => {
    const begun = written(app(3), beginDeployment(app(3), { guid: 'd1', droplet: 'two', underWay: false }));
    const bumped = written(begun, { metadata: { annotations: { [annotations.appRev]: '5' } } });
    const after = written(bumped, beginDeployment(bumped, { guid: 'd2', droplet: 'two', underWay: false }));
    const record: CfDeployment = {
      apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
      kind: 'CFDeployment',
      metadata: { name: 'd1', creationTimestamp: '2026-06-01T12:00:00Z' },
      spec: { appRef: { name: 'app' }, strategy: 'rolling', dropletRef: { name: 'two' }, maxInFlight: 1, step: 1 },
    };
    const soon = Date.UTC(2026, 5, 1, 12, 0, 10);
    expect(deploymentStatus(record, bumped, soon)).toMatchObject({ value: 'FINALIZED', reason: 'SUPERSEDED' });
    expect(deploymentStatus(record, after, soon)).toMatchObject({ value: 'FINALIZED', reason: 'SUPERSEDED' });
  });

  it('never returns to before a stop: what ran then is gone', () => {
    const old: DeploymentMark = { guid: 'd1', appRev: 4, previous: { appRev: 3, droplet: 'one' } };
    const before = app(5, {}, old, 5);
    const after = written(before, beginDeployment(before, { guid: 'd2', droplet: 'one', underWay: true }));
    expect(deploymentMark(after)?.previous).toEqual({ appRev: 5, droplet: 'one' });
  });

  it('of a stopped app is canceled by stopping it, with one bump', () => {
    const before = app(3, { desiredState: 'STOPPED' });
    const during = written(before, beginDeployment(before, { guid: 'd1', droplet: 'two', underWay: false }));
    expect(deploymentMark(during)?.previous).toBeUndefined();
    const after = written(during, cancelDeployment(during, 'd1'));
    expect(after.spec).toMatchObject({ desiredState: 'STOPPED', currentDropletRef: { name: 'one' } });
    expect(revisionsOf(after)).toEqual({ appRev: 5, lastStopAppRev: 5, highest: 5 });
    expect(deploymentMark(after)?.canceled).toBe(true);
  });

  it('of a stopped app hands what a cancel returns to on to the next one', () => {
    const before = app(3, { desiredState: 'STOPPED' });
    const first = written(before, beginDeployment(before, { guid: 'd1', droplet: 'two', underWay: false }));
    const second = written(first, beginDeployment(first, { guid: 'd2', droplet: 'three', underWay: true }));
    const after = written(second, cancelDeployment(second, 'd2'));
    expect(after.spec).toMatchObject({ desiredState: 'STOPPED', currentDropletRef: { name: 'one' } });
  });

  it('of an app that had no droplet leaves it without one', () => {
    for (const desiredState of ['STARTED', 'STOPPED'] as const) {
      const { currentDropletRef: _, ...spec } = app(3, { desiredState }).spec;
      const before = { ...app(3), spec };
      const during = written(before, beginDeployment(before, { guid: 'd1', droplet: 'two', underWay: false }));
      expect(during.spec.currentDropletRef).toEqual({ name: 'two' });
      expect(written(during, cancelDeployment(during, 'd1')).spec.currentDropletRef).toBeNull();
    }
  });

  it('leaves the droplet alone when the mark is from before it was noted', () => {
    const during = app(4, { currentDropletRef: { name: 'two' } }, { guid: 'd1', appRev: 4 }, 3);
    expect(written(during, cancelDeployment(during, 'd1')).spec.currentDropletRef).toEqual({ name: 'two' });
  });

  it('returns to the droplet that ran, not to the one that was set for it', () => {
    const status = (appRev: string) => ({ revision: { appRev, envSecretName: 'env', envNames: [], droplet: 'zero' } });
    const set = { ...app(3), status: status('3') };
    const during = written(set, beginDeployment(set, { guid: 'd1', droplet: 'one', underWay: false }));
    expect(deploymentMark(during)?.previous).toEqual({ appRev: 3, droplet: 'zero' });
    // What was taken for another revision says nothing of this one.
    const other = { ...app(3), status: status('2') };
    const begun = written(other, beginDeployment(other, { guid: 'd1', droplet: 'one', underWay: false }));
    expect(deploymentMark(begun)?.previous).toEqual({ appRev: 3, droplet: 'one' });
  });
});

describe('stop and start', () => {
  it('write state and bump together, and nothing twice', () => {
    const stopped = written(app(3), stop(app(3)));
    expect(stopped.spec.desiredState).toBe('STOPPED');
    expect(revisionsOf(stopped)).toEqual({ appRev: 4, lastStopAppRev: 4, highest: 4 });
    expect(stop(stopped)).toBeUndefined();
    const started = written(stopped, start(stopped));
    expect(revisionsOf(started).appRev).toBe(4);
    expect(start(started)).toBeUndefined();
  });
});
