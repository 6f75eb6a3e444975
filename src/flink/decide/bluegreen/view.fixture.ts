import type { BlueGreenView, IngressSeen, SideSeen } from '../../blue-green-view.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { childName, childObject } from '../../manifests/blue-green-child.ts';
import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import type { Color } from '../../resources/blue-green-transition.ts';
import type { FlinkBlueGreenDeployment } from '../../resources/flink-blue-green-deployment.ts';
import { type FlinkDeploymentStatus, flinkDeployment } from '../../resources/flink-deployment.ts';
import type { JobSpec } from '../../resources/job-spec.ts';
import type { JobState } from '../../resources/job-status.ts';
import { instantText } from '../instant-text.ts';
import type { Spec, Status } from './blue-green-case.ts';

export const start = Date.parse('2026-01-01T00:00:00Z');
export const uid = 'uid-1';
export const name = 'counter';
const namespace = 'shop';

/** What a person changes about a spec. */
export type Edit = (spec: Spec) => Spec;

/** Changes the job; `undefined` removes a field. */
export function job(change: { readonly [K in keyof JobSpec]?: JobSpec[K] | undefined }): Edit {
  return (old) => {
    const fields = { ...old.template?.spec?.job, ...change };
    const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
    return { ...old, template: { ...old.template, spec: { ...old.template?.spec, job: Object.fromEntries(kept) } } };
  };
}

/** Demands a transition. */
export function image(to: string): Edit {
  return (old) => ({ ...old, template: { ...old.template, spec: { ...old.template?.spec, image: to } } });
}

/** Changes nothing but what can be patched in place. */
export function patchable(value: string): Edit {
  return flinkConfigured({ 'kubernetes.operator.savepoint.history.max.count': value });
}

export function flinkConfigured(settings: Readonly<Record<string, string>>): Edit {
  return (old) => {
    const spec = old.template?.spec;
    const flinkConfiguration = { ...spec?.flinkConfiguration, ...settings };
    return { ...old, template: { ...old.template, spec: { ...spec, flinkConfiguration } } };
  };
}

/** Settings of the transitions, without the prefix that all of them have. */
export function configured(settings: Readonly<Record<string, string>>): Edit {
  const keyed = Object.entries(settings).map(([key, value]) => [`kubernetes.operator.bluegreen.${key}`, value]);
  return (old) => ({ ...old, configuration: { ...old.configuration, ...Object.fromEntries(keyed) } });
}

export function ingressed(template: string): Edit {
  return (old) => ({ ...old, ingress: { ...old.ingress, template } });
}

export function edited(spec: Spec, ...edits: readonly Edit[]): Spec {
  return edits.reduce((old, edit) => edit(old), spec);
}

/** An application whose sides go on from savepoints. */
export const stateful: Spec = {
  template: {
    spec: {
      image: 'app:1',
      flinkVersion: 'v1_20',
      serviceAccount: 'flink',
      flinkConfiguration: { 'state.checkpoints.dir': 's3://cp', 'state.savepoints.dir': 's3://sp' },
      jobManager: { resource: { cpu: 0.5, memory: '1g' } },
      taskManager: { resource: { cpu: 1, memory: '2g' } },
      job: { jarURI: 'local:///opt/flink/usrlib/a.jar', parallelism: 2, upgradeMode: 'savepoint' },
    },
  },
};

export const stateless: Spec = edited(stateful, job({ upgradeMode: 'stateless' }));

/** How a side is, by what its operator says of it. */
export const healths = {
  ready: { jobStatus: { state: 'RUNNING' }, lifecycleState: 'STABLE', jobManagerDeploymentStatus: 'READY' },
  settling: {
    jobStatus: { state: 'RECONCILING' },
    lifecycleState: 'DEPLOYED',
    jobManagerDeploymentStatus: 'DEPLOYING',
  },
  failing: { jobStatus: { state: 'RESTARTING' }, lifecycleState: 'DEPLOYED', jobManagerDeploymentStatus: 'READY' },
  failed: { jobStatus: { state: 'FAILED' }, lifecycleState: 'FAILED', jobManagerDeploymentStatus: 'READY' },
  lost: { jobStatus: { state: 'RECONCILING' }, lifecycleState: 'DEPLOYED', jobManagerDeploymentStatus: 'MISSING' },
  suspended: { jobStatus: { state: 'FINISHED' }, lifecycleState: 'SUSPENDED', jobManagerDeploymentStatus: 'MISSING' },
} as const satisfies Readonly<Record<string, FlinkDeploymentStatus & { jobStatus: { state: JobState } }>>;

export type HealthName = keyof typeof healths;

/** A side as `spec` makes it, changed. */
export function sideSeen(color: Color, spec: Spec, health: HealthName, more: Partial<SideSeen> = {}): SideSeen {
  const object = childObject({ resource: resourceOf(spec), color, spec, restore: {}, id: `${uid}-1` });
  const sideUid = more.ref?.uid ?? `${color.toLowerCase()}-1`;
  return {
    ref: {
      apiVersion: flinkDeployment.apiVersion,
      kind: flinkDeployment.type.kind,
      namespace,
      name: childName(name, color),
      uid: sideUid,
      resourceVersion: '1',
    },
    owners: [uid],
    id: object.metadata.annotations?.['cutover.dev/id'],
    terminating: false,
    terminatingSince: undefined,
    finalizers: ['flinkdeployments.flink.apache.org/finalizer'],
    generation: 1,
    labels: object.metadata.labels ?? {},
    annotations: object.metadata.annotations ?? {},
    spec: object.spec,
    status: { observedGeneration: 1, ...healthOf(health, sideUid) },
    ...more,
  };
}

/** Each side has a job of its own. */
export function healthOf(health: HealthName, sideUid: string): FlinkDeploymentStatus {
  const { jobStatus, ...rest } = healths[health];
  return { ...rest, jobStatus: { ...jobStatus, jobId: `job-of-${sideUid}` } };
}

export function ingressSeen(color: Color, ingressName = name): IngressSeen {
  return {
    ref: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      namespace,
      name: ingressName,
      uid: `${ingressName}-ingress`,
      resourceVersion: '1',
    },
    owners: [uid],
    terminating: false,
    backends: [`${childName(name, color)}-rest`],
  };
}

export function resourceOf(spec: Spec, status?: Status): FlinkBlueGreenDeployment {
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkBlueGreenDeployment',
    metadata: { name, namespace, uid, resourceVersion: '1', generation: 1 },
    spec,
    ...(status && { status }),
  };
}

const operator: OperatorConfig = { settings: {}, logFiles: {} };

/** Nothing but the resource, just made. */
export function viewOf(spec: Spec, more: Partial<BlueGreenView> = {}): BlueGreenView {
  return {
    now: start,
    outcomes: {},
    resource: resourceOf(spec),
    operator,
    sides: { BLUE: undefined, GREEN: undefined },
    namesake: false,
    ingress: undefined,
    preview: undefined,
    snapshots: [],
    ...more,
  };
}

/** What is written of a side that serves and has this spec. */
export function servingStatus(color: Color, spec: Spec, more: Partial<Status> = {}): Status {
  const sideName = childName(name, color);
  const serving = { color, name: sideName, uid: `${color.toLowerCase()}-1`, since: instantText(start) };
  return { attempt: 1, lastReconciledSpec: blueGreenSpecCodec.write(spec), serving, ...more };
}
