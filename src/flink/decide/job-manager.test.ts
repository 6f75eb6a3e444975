import { describe, expect, it } from 'vitest';
import { flatConfig } from '../config/flink-config.ts';
import type { Trouble } from '../rest.ts';
import type { DeploymentView, PodSeen } from '../view.ts';
import { canonicalView } from './canonical-view.ts';
import { decideDeployment } from './deployment.ts';
import { jobManagerSeen } from './job-manager.ts';

const view = canonicalView({}, (spec) => spec);
const { now } = view;
const [owner = ''] = view.cluster.jobManager?.owners ?? [];

type JobManager = NonNullable<DeploymentView['cluster']['jobManager']>;

function seen(
  jobManager: Partial<JobManager> | undefined,
  rest: Partial<DeploymentView['rest']> = {},
  configuration: Readonly<Record<string, string>> = {},
  pods: readonly PodSeen[] = [],
) {
  const found = jobManager && { ...(view.cluster.jobManager as JobManager), ...jobManager };
  const cluster = { ...view.cluster, pods, jobManager: found };
  return jobManagerSeen(owner, cluster, { ...view.rest, ...rest }, flatConfig(configuration), now);
}

const silent = (since: number): { readonly trouble: Trouble } => ({
  trouble: { kind: 'unreachable', message: 'no answer', since, at: now },
});

const stuck: PodSeen = {
  ref: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'job-1', uid: 'pod' },
  createdAt: now,
  terminating: false,
  ready: false,
  phase: 'Pending',
  incarnation: 'pod/0',
  failure: { reason: 'ImagePullBackOff', container: 'flink-main-container', message: 'no such image' },
};

describe('the JobManager', () => {
  it('is ready when a pod is available and REST answers', () => {
    expect(seen({})).toEqual({ status: 'READY' });
    expect(seen({}, { jobs: undefined })).toEqual({ status: 'DEPLOYED_NOT_READY' });
  });

  it('is believed for half a minute of silence', () => {
    expect(seen({}, silent(now - 29_999))).toEqual({ status: 'READY', lookAgainAt: now + 1 });
    expect(seen({}, silent(now - 30_000))).toEqual({ status: 'DEPLOYED_NOT_READY' });
  });

  it('is missing when it is not there, is going, or is somebody else’s', () => {
    expect(seen(undefined)).toEqual({ status: 'MISSING' });
    expect(seen({ terminating: true })).toEqual({ status: 'MISSING' });
    expect(seen({ owners: ['other'] })).toMatchObject({ status: 'MISSING', stranger: { owners: ['other'] } });
  });

  it('is in error when no pod is available and Kubernetes says why', () => {
    expect(seen({ available: 0 })).toEqual({ status: 'DEPLOYING' });
    expect(seen({ available: 0 }, {}, {}, [stuck])).toEqual({
      status: 'ERROR',
      failure: {
        reason: 'ImagePullBackOff',
        message: 'container flink-main-container of pod job-1: ImagePullBackOff: no such image',
      },
    });
    expect(seen({ available: 0 }, {}, {}, [{ ...stuck, terminating: true }])).toEqual({ status: 'DEPLOYING' });
    expect(seen({}, {}, {}, [stuck])).toEqual({ status: 'READY' });
  });
});

describe('kubernetes.operator.observer.rest-ready.delay', () => {
  const delay = { 'kubernetes.operator.observer.rest-ready.delay': '10 s' };
  const available = (at: number | undefined): Partial<JobManager> => ({
    conditions: [{ type: 'Available', status: 'True', reason: '', message: '', lastTransitionAt: at }],
  });

  it('keeps a JobManager from counting as ready until it has been available for so long', () => {
    expect(seen(available(now - 9_999), {}, delay)).toEqual({ status: 'DEPLOYED_NOT_READY', lookAgainAt: now + 1 });
    expect(seen(available(now - 10_000), {}, delay)).toEqual({ status: 'READY' });
  });

  it('is nothing unless it is set', () => {
    expect(seen(available(now))).toEqual({ status: 'READY' });
  });

  it('does not hold up a JobManager that does not say since when it is available', () => {
    expect(seen(available(undefined), {}, delay)).toEqual({ status: 'READY' });
    expect(seen({}, {}, delay)).toEqual({ status: 'READY' });
  });

  it('wakes whoever waits for the JobManager with an upgrade', () => {
    const edited = canonicalView({}, (spec) => ({ ...spec, image: 'flink:new' }));
    const jobManager = { ...(edited.cluster.jobManager as JobManager), ...available(now - 4_000) };
    const decision = decideDeployment({
      ...edited,
      operator: { ...edited.operator, settings: delay },
      cluster: { ...edited.cluster, jobManager, ha: { ...edited.cluster.ha, available: false } },
    });
    expect(decision.because).toContain('The upgrade waits');
    expect(decision.wakeAt).toBe(now + 6_000);
  });
});
