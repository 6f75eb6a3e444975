import { describe, expect, it } from 'vitest';
import { labels } from '../../keys.ts';
import { instanceSources, type LogPod, stagingSources, taskSources } from './log-source.ts';

const pod = (parts: Partial<LogPod> = {}): LogPod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'app-11',
    namespace: 'space',
    labels: { [labels.processType]: 'web', 'apps.kubernetes.io/pod-index': '11' },
  },
  spec: { containers: [{ name: 'istio-proxy' }, { name: 'application' }] },
  ...parts,
});

describe('where output is read', () => {
  it('is the container of the app, not what the cluster has put beside it', () => {
    expect(instanceSources(pod())).toEqual([
      {
        namespace: 'space',
        pod: 'app-11',
        container: 'application',
        previous: false,
        sourceType: 'APP/PROC/WEB',
        instance: '11',
      },
    ]);
  });

  it('is also the container before a crash', () => {
    const status = { containerStatuses: [{ name: 'application', restartCount: 2 }] };
    expect(instanceSources(pod({ status })).map(({ previous }) => previous)).toEqual([true, false]);
    const others = { containerStatuses: [{ name: 'istio-proxy', restartCount: 2 }] };
    expect(instanceSources(pod({ status: others })).map(({ previous }) => previous)).toEqual([false]);
  });

  it('is read once while the container waits to be started again, for both are the same then', () => {
    const waits = { name: 'application', restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } } };
    const sources = instanceSources(pod({ status: { containerStatuses: [waits] } }));
    expect(sources.map(({ previous }) => previous)).toEqual([false]);
  });

  it('has the name of the task, or is staging step by step', () => {
    expect(taskSources(pod(), 'migrate')[0]).toMatchObject({ sourceType: 'APP/TASK/migrate', instance: '0' });
    const build = pod({
      spec: { initContainers: [{ name: 'detect' }, { name: 'build' }], containers: [{ name: 'done' }] },
    });
    expect(stagingSources(build).map(({ container, sourceType }) => `${sourceType} ${container}`)).toEqual([
      'STG detect',
      'STG build',
      'STG done',
    ]);
  });

  it('is nowhere in a pod that has no containers', () => {
    expect(instanceSources({ ...pod(), spec: {} })).toEqual([]);
  });
});
