import type { Decision } from '../../../control/decision.ts';
import { annotations, labels } from '../../keys.ts';
import { ownedBy } from '../../manifests/owned-by.ts';
import { newTaskWorkload } from '../../manifests/task-workload.ts';
import type { CfTaskView } from '../../observe/cf-task-view.ts';
import type { Job } from '../../observe/kube-shapes.ts';
import type { TaskWorkloadView } from '../../observe/task-workload-view.ts';
import type { CfBuild } from '../../resources/cf-build.ts';
import type { CfTask } from '../../resources/cf-task.ts';
import type { TaskWorkload } from '../../resources/task-workload.ts';
import { defaultSettings } from '../../settings.ts';
import { app as bareApp, build as bareBuild, now } from '../build/build.fixture.ts';

/** For tests of tasks: an app that has been pushed, and a task as the API makes it. */
export const settings = defaultSettings;

export const app = {
  ...bareApp({ currentDropletRef: { name: 'build' }, envSecretName: 'env' }),
  status: { vcapApplicationSecretName: 'app-vcap-application', vcapServicesSecretName: 'app-vcap-services' },
};

export function build(type: 'docker' | 'buildpack' = 'docker'): CfBuild {
  const droplet = { registry: { image: 'registry.example/app:1' } };
  return bareBuild({ lifecycle: { type } }, { state: 'STAGED', droplet });
}

export function task(spec: Partial<CfTask['spec']> = {}, status?: CfTask['status']): CfTask {
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'CFTask',
    metadata: {
      name: 'task',
      namespace: 'space',
      uid: 'uid-task',
      resourceVersion: '3',
      generation: 1,
      creationTimestamp: '2026-06-01T11:59:00Z',
      labels: {
        [labels.guid]: 'task',
        [labels.spaceGuid]: 'space',
        [labels.appGuid]: 'app',
        [labels.createdAt]: '2026-06-01T11-59-00',
        ...(status?.sequenceId !== undefined && { [labels.taskSequenceId]: String(status.sequenceId) }),
      },
      annotations: { [annotations.creationVersion]: settings.version },
      ownerReferences: [ownedBy(app)],
    },
    spec: { command: 'echo hello', appRef: { name: 'app' }, canceled: false, ...spec },
    ...(status && { status }),
  };
}

export function taskView(parts: Partial<CfTaskView> = {}): CfTaskView {
  return {
    now,
    outcomes: {},
    resource: task(),
    app,
    build: build(),
    env: { secretName: 'env', names: ['GREETING'] },
    lastSequenceId: 4,
    settings,
    ...parts,
  };
}

export function workload(status?: TaskWorkload['status']): TaskWorkload {
  const made = newTaskWorkload({
    task: task(),
    appGuid: 'app',
    lifecycle: 'docker',
    droplet: { image: 'registry.example/app:1' },
    env: { secretName: 'env', names: ['GREETING'] },
    memoryMB: 1024,
    diskQuotaMB: 1024,
    settings,
  });
  const metadata = { ...made.metadata, uid: 'uid-workload', resourceVersion: '5', generation: 1 };
  return { ...made, metadata, ...(status && { status }) };
}

export function workloadView(parts: Partial<TaskWorkloadView> = {}): TaskWorkloadView {
  return { now, outcomes: {}, resource: workload(), settings, ...parts };
}

export function job(status: NonNullable<Job['status']> = {}): Job {
  const metadata = { name: 'task', namespace: 'space', uid: 'uid-job', ownerReferences: [ownedBy(workload())] };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, status };
}

/** The conditions that a decision writes: `Started JobStarted`, without those that are not true. */
export function said<S extends { readonly conditions?: readonly { type: string; status: string; reason: string }[] }>({
  actions,
}: Decision): { readonly status: S; readonly true: readonly string[] } {
  const [first] = actions;
  if (first?.do !== 'status') throw new Error(`no status is written: ${JSON.stringify(actions)}`);
  const status = first.status as unknown as S;
  const held = (status.conditions ?? []).filter((one) => one.status === 'True');
  return { status, true: held.map(({ type, reason }) => `${type} ${reason}`).sort() };
}
