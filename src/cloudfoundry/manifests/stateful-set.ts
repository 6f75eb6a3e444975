import { annotations as control } from '../../control/annotations.ts';
import type { Json, JsonObject, KubeObject, OwnerReference } from '../../kube/object.ts';
import { annotations, labels } from '../keys.ts';
import { statefulSetName } from '../names.ts';
import type { AppWorkload, AppWorkloadSpec } from '../resources/app-workload.ts';
import type { RunnerSettings } from '../settings.ts';

/** The ServiceAccount of instances. It has no rights, and its token is not mounted. */
const serviceAccount = 'korifi-app';

const bindingRoot = '/bindings';

/**
 * The StatefulSet of a workload when it is made. Later only what `runner/roll-patch.ts` says is changed: its selector must
 * not hold the version, for the server lets nobody change a selector, and a template has to match it.
 *
 * It has no owner: the workload's finalizer deletes it, and a workload that is lost does not take its instances along. Only when it is
 * made it has one, `bornOf`.
 */
export function statefulSet(workload: AppWorkload, runner: RunnerSettings): KubeObject & { readonly spec: JsonObject } {
  const { spec, metadata } = workload;
  const { namespace = '', uid = '' } = metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      name: nameOfSet(workload),
      namespace,
      labels: setLabels(workload),
      annotations: { ...setAnnotations(spec), [control.id]: `${uid}-stateful-set` },
    },
    spec: {
      replicas: spec.instances,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: { [labels.guid]: spec.GUID } },
      template: podTemplate(workload, runner),
    },
  };
}

/**
 * The owner that a StatefulSet is made with: a request that is late, and arrives when its workload was deleted after all, must not begin
 * instances that nobody knows of. It is no controller, unlike the owner that other runners give.
 */
export function bornOf({ apiVersion, kind, metadata }: AppWorkload): OwnerReference {
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid };
}

/** The published name. It hashes the revision at the last stop, so a stop makes the next StatefulSet another object. */
export function nameOfSet({ metadata, spec }: AppWorkload): string {
  const lastStopAppRev = metadata.annotations?.[annotations.lastStopAppRev] ?? spec.version;
  const { namespace = '' } = metadata;
  return statefulSetName({ appGuid: spec.appGUID, processGuid: spec.GUID, namespace, lastStopAppRev });
}

/** The labels of a StatefulSet and of its pods. */
export function setLabels({ metadata, spec }: AppWorkload): Readonly<Record<string, string>> {
  return {
    [labels.guid]: spec.GUID,
    [labels.processType]: spec.processType,
    [labels.version]: spec.version,
    [labels.appGuid]: spec.appGUID,
    [labels.workloadGuid]: metadata.name ?? '',
  };
}

/** The annotations of a StatefulSet and of its pods. */
export function setAnnotations({ appGUID, GUID, version }: AppWorkloadSpec): Readonly<Record<string, string>> {
  return {
    [annotations.applicationId]: appGUID,
    [annotations.processGuid]: `${GUID}-${version}`,
    [annotations.version]: version,
  };
}

/**
 * The pods of one revision. What is not in the workload's spec must not depend on anything that changes while a revision
 * runs: this is written once per revision.
 */
export function podTemplate(workload: AppWorkload, runner: RunnerSettings): JsonObject {
  const { spec } = workload;
  const { nodeSelector, tolerations, preStopSeconds, terminationGraceSeconds } = runner;
  const volumes = bound(spec).map(({ guid, secret }) => ({ name: guid, secret: { secretName: secret } }));
  return {
    metadata: { labels: setLabels(workload), annotations: setAnnotations(spec) },
    spec: {
      serviceAccountName: serviceAccount,
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      // The grace is counted from before the sleep.
      terminationGracePeriodSeconds: preStopSeconds + terminationGraceSeconds,
      ...(spec.imagePullSecrets?.length && { imagePullSecrets: spec.imagePullSecrets as Json }),
      ...(nodeSelector && { nodeSelector }),
      ...(tolerations?.length && { tolerations: tolerations as Json }),
      topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { [labels.guid]: spec.GUID } },
        matchLabelKeys: ['pod-template-hash'],
      })),
      ...(volumes.length > 0 && { volumes }),
      containers: [application(spec, runner)],
    },
  };
}

function application(spec: AppWorkloadSpec, { imagePullPolicy, preStopSeconds }: RunnerSettings): JsonObject {
  const { command, ports, startupProbe, livenessProbe, readinessProbe, resources } = spec;
  const mounts = bound(spec).map(({ guid, name }) => ({
    name: guid,
    mountPath: `${bindingRoot}/${name}`,
    readOnly: true,
  }));
  return {
    name: 'application',
    image: spec.image,
    imagePullPolicy,
    ...(command?.length && { command }),
    env: environment(spec),
    ...(ports?.length && { ports: ports.map((containerPort) => ({ containerPort, protocol: 'TCP' })) }),
    ...(startupProbe && { startupProbe: startupProbe as JsonObject }),
    ...(livenessProbe && { livenessProbe: livenessProbe as JsonObject }),
    ...(readinessProbe && { readinessProbe: readinessProbe as JsonObject }),
    // Who sends requests hears late that an instance ends: until then it answers.
    ...(preStopSeconds > 0 && { lifecycle: { preStop: { sleep: { seconds: preStopSeconds } } } }),
    ...(resources && { resources: resources as JsonObject }),
    ...(mounts.length > 0 && { volumeMounts: mounts }),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
}

/** What only the cluster knows of an instance. */
const fromPod: Readonly<Record<string, string>> = {
  CF_INSTANCE_GUID: 'metadata.uid',
  CF_INSTANCE_INDEX: "metadata.labels['apps.kubernetes.io/pod-index']",
  CF_INSTANCE_INTERNAL_IP: 'status.podIP',
  CF_INSTANCE_IP: 'status.hostIP',
  POD_NAME: 'metadata.name',
};

/** Sorted by name. What the cluster knows better wins. */
function environment(spec: AppWorkloadSpec): Json {
  const entries = new Map<string, Json>((spec.env ?? []).map((entry) => [entry.name, entry as JsonObject]));
  for (const [name, fieldPath] of Object.entries(fromPod)) {
    entries.set(name, { name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } });
  }
  if (bound(spec).length > 0) entries.set('SERVICE_BINDING_ROOT', { name: 'SERVICE_BINDING_ROOT', value: bindingRoot });
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

/** The services whose credentials are there. */
function bound({ services = [] }: AppWorkloadSpec): readonly { guid: string; name: string; secret: string }[] {
  return services.flatMap(({ guid, name, secret }) => (secret ? [{ guid, name, secret }] : []));
}
