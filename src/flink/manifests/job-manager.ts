import type { AnyObject } from '../../kube/object.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import type { Blueprint } from './blueprint.ts';
import { flinkPod } from './flink-pod.ts';
import { jarInImage } from './job-jar.ts';
import type { Mounted } from './kube-types.ts';
import { metadata, ownedByResource, podLabels } from './metadata.ts';
import { jobManager } from './process.ts';
import { podTemplateMount } from './task-manager-template.ts';

const podAddress = '_POD_IP_ADDRESS';
const userLib = '/opt/flink/usrlib';

/** The Deployment of the JobManager. Everything else of the cluster belongs to it, or waits for it. */
export function jobManagerDeployment(blueprint: Blueprint): AnyObject {
  const { plan, mode, config } = blueprint;
  const labels = podLabels(blueprint, 'jobmanager');
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(blueprint, {
      name: plan.owner.name,
      owner: ownedByResource(blueprint, false),
      labels: { ...Object.fromEntries(read(config, jobManager.labels)), ...labels },
      annotations: Object.fromEntries(read(config, jobManager.annotations)),
    }),
    spec: {
      replicas: read(config, flinkOptions.jobManagerReplicas),
      selector: { matchLabels: labels },
      template: flinkPod(blueprint, jobManager, {
        args: mode === 'native' ? nativeArguments(blueprint) : standaloneArguments(blueprint),
        ports: ports(blueprint),
        variables: [{ name: podAddress, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } }],
        first: scratch(blueprint, 'user-artifacts-volume', read(config, flinkOptions.artifactsInPod)),
        last: [...podTemplateMount(blueprint), ...userLibMount(blueprint)],
      }),
    },
  };
}

/** The names are what Services and probes refer to. With the node's network, processes choose their ports. */
function ports({ mode, config }: Blueprint): { name: string; containerPort: number }[] {
  if (mode === 'native' && read(config, flinkOptions.hostNetwork)) return [];
  return [
    { name: 'rest', containerPort: read(config, flinkOptions.restBindPort) || read(config, flinkOptions.restPort) },
    { name: 'jobmanager-rpc', containerPort: read(config, flinkOptions.rpcPort) },
    { name: 'blobserver', containerPort: read(config, flinkOptions.blobPort) },
  ];
}

function nativeArguments({ plan, config }: Blueprint): string[] {
  const target = plan.spec.job ? 'kubernetes-application' : 'kubernetes-session';
  return ['bash', '-c', `kubernetes-jobmanager.sh ${target} ${read(config, flinkOptions.jobManagerArguments)}`];
}

function standaloneArguments({ plan, config, ha }: Blueprint): string[] {
  const { job } = plan.spec;
  // With high availability each JobManager is found under its own address, not under that of the Service.
  const address = ha ? ['-D', `jobmanager.rpc.address=$(${podAddress})`] : [];
  if (!job) return ['jobmanager', ...address];
  const savepoint = config.get('execution.savepoint.path');
  return [
    'standalone-job',
    ...(job.entryClass ? ['--job-classname', job.entryClass] : []),
    ...(job.allowNonRestoredState ? ['--allowNonRestoredState'] : []),
    ...(savepoint ? ['--fromSavepoint', savepoint] : []),
    ...address,
    ...(job.args ?? []),
  ];
}

/** A directory that standalone Flink wants to find when jars are on its class path. */
function userLibMount(blueprint: Blueprint): Mounted[] {
  if (blueprint.mode === 'native' || !blueprint.config.has('pipeline.classpaths')) return [];
  return scratch(blueprint, 'user-lib-dir', userLib);
}

/** An empty directory, unless it would hide the job's jar or what a template mounts there. */
function scratch(blueprint: Blueprint, name: string, mountPath: string): Mounted[] {
  const within = (path: string | undefined) => path === mountPath || path?.startsWith(`${mountPath}/`);
  const template = blueprint.templates.jobManager?.spec;
  const mounts = template?.containers?.flatMap(({ volumeMounts }) => volumeMounts ?? []) ?? [];
  const taken = within(jarInImage(blueprint.plan.spec.job?.jarURI)) || mounts.some((one) => within(one.mountPath));
  return taken ? [] : [{ volume: { name, emptyDir: {} }, mountPath }];
}
