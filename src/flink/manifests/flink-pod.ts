import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { isSet, read } from '../config/option.ts';
import type { Blueprint } from './blueprint.ts';
import { configVolume } from './config-volume.ts';
import { canonicalAmounts, mainResources } from './container-resources.ts';
import {
  type Container,
  type Mounted,
  mainContainer,
  type PodSpec,
  type Template,
  type Variable,
} from './kube-types.ts';
import { podLabels } from './metadata.ts';
import type { Process } from './process.ts';

/** What is particular to one process. */
export interface Particulars {
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly variables: readonly Variable[];
  /** Mounted before what all processes mount, and after. */
  readonly first: readonly Mounted[];
  readonly last: readonly Mounted[];
}

/** The pod of a process: the users' template with Flink's own part laid over it. */
export function flinkPod(blueprint: Blueprint, process: Process, own: Particulars): Template {
  const { config } = blueprint;
  const template = blueprint.templates[process.template] ?? {};
  const spec: PodSpec = template.spec ?? {};
  const containers = spec.containers ?? [];
  const main = containers.find(({ name }) => name === mainContainer) ?? { name: mainContainer };
  const mounted = [...own.first, ...secretMounts(config), ...hadoopMount(config), configVolume(blueprint), ...own.last];
  const account = read(config, process.account);
  const selector = { ...spec.nodeSelector, ...Object.fromEntries(read(config, process.nodeSelector)) };
  const tolerations = [...(spec.tolerations ?? []), ...read(config, process.tolerations).map(toleration)];
  const pullSecrets = [
    ...(spec.imagePullSecrets ?? []),
    ...read(config, flinkOptions.pullSecrets).map((name) => ({ name })),
  ];
  // A Deployment restarts its pods always; a template made for a bare pod may say otherwise.
  const { restartPolicy: _, hostNetwork: __, ...kept } = spec;

  return {
    metadata: {
      ...template.metadata,
      labels: {
        ...template.metadata?.labels,
        ...Object.fromEntries(read(config, process.labels)),
        ...podLabels(blueprint, process.component),
      },
      ...annotationsOf(template, config, process),
    },
    spec: canonicalAmounts({
      ...kept,
      serviceAccount: account,
      serviceAccountName: account,
      ...network(blueprint, process, spec),
      ...(Object.keys(selector).length > 0 && { nodeSelector: selector }),
      ...(tolerations.length > 0 && { tolerations }),
      ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets }),
      containers: [
        ...containers.filter((container) => container !== main),
        mainOf(blueprint, process, own, main, mounted),
      ],
      volumes: [...(spec.volumes ?? []), ...mounted.map(({ volume }) => volume)],
    }),
  };
}

function mainOf(
  { config, plan }: Blueprint,
  process: Process,
  own: Particulars,
  main: Container,
  mounted: readonly Mounted[],
): Container {
  const image = read(config, flinkOptions.image) ?? main.image ?? officialImage(plan.spec.flinkVersion);
  const pullPolicy = isSet(config, flinkOptions.pullPolicy) ? undefined : main.imagePullPolicy;
  const env = unique([
    ...(main.env ?? []),
    ...configuredVariables(config, process.variables),
    ...own.variables,
    ...logVariable(config),
    ...secretVariables(config),
    ...hadoopVariable(config),
  ]);
  return {
    ...main,
    image,
    imagePullPolicy: pullPolicy ?? read(config, flinkOptions.pullPolicy),
    command: [read(config, flinkOptions.entryPath)],
    args: own.args,
    ...(env.length > 0 && { env }),
    ports: [...(main.ports ?? []), ...own.ports],
    resources: mainResources(config, process, main.resources) as NonNullable<Container['resources']>,
    volumeMounts: [
      ...(main.volumeMounts ?? []),
      ...mounted.map(({ volume, mountPath }) => ({ name: volume.name, mountPath })),
    ],
  };
}

function annotationsOf(template: Template, config: FlinkConfig, process: Process): Template['metadata'] {
  const annotations = {
    ...template.metadata?.annotations,
    ...Object.fromEntries(read(config, process.annotations)),
  };
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}

/**
 * Only Flink's option says whose network is used: ports depend on it. The JobManager always says how it resolves names, as
 * native Flink does.
 */
function network({ config }: Blueprint, process: Process, spec: PodSpec): Partial<PodSpec> {
  if (read(config, flinkOptions.hostNetwork)) return { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' };
  return process.component === 'jobmanager' ? { dnsPolicy: spec.dnsPolicy ?? 'ClusterFirst' } : {};
}

/** Official images are named by version: `flink:1.20`. */
function officialImage(flinkVersion: string | undefined): string {
  return `flink:${flinkVersion?.slice(1).replace('_', '.') ?? 'latest'}`;
}

/** `containerized.master.env.NAME: value` */
function configuredVariables(config: FlinkConfig, prefix: string): Variable[] {
  const found = [...config].filter(([key]) => key.startsWith(prefix) && key.length > prefix.length);
  return found.map(([key, value]) => ({ name: key.slice(prefix.length), value }));
}

function logVariable(config: FlinkConfig): Variable[] {
  const directory = read(config, flinkOptions.logDirectory);
  return directory ? [{ name: 'FLINK_LOG_DIR', value: directory }] : [];
}

function secretVariables(config: FlinkConfig): Variable[] {
  return read(config, flinkOptions.secretVariables).map((one) => ({
    name: one.get('env') ?? '',
    valueFrom: { secretKeyRef: { name: one.get('secret') ?? '', key: one.get('key') ?? '' } },
  }));
}

function secretMounts(config: FlinkConfig): Mounted[] {
  return [...read(config, flinkOptions.secrets)].map(([name, mountPath]) => ({
    volume: { name: `${name}-volume`, secret: { secretName: name } },
    mountPath,
  }));
}

const hadoopDirectory = '/opt/hadoop/conf';

function hadoopConfigMap(config: FlinkConfig): string | undefined {
  return read(config, flinkOptions.hadoopMount) ? read(config, flinkOptions.hadoopConfigMap) : undefined;
}

function hadoopMount(config: FlinkConfig): Mounted[] {
  const name = hadoopConfigMap(config);
  return name ? [{ volume: { name: 'hadoop-config-volume', configMap: { name } }, mountPath: hadoopDirectory }] : [];
}

function hadoopVariable(config: FlinkConfig): Variable[] {
  return hadoopConfigMap(config) ? [{ name: 'HADOOP_CONF_DIR', value: hadoopDirectory }] : [];
}

function toleration(written: ReadonlyMap<string, string>): Record<string, unknown> {
  const seconds = written.get('tolerationSeconds');
  return { ...Object.fromEntries(written), ...(seconds !== undefined && { tolerationSeconds: Number(seconds) }) };
}

/** The last variable of a name is the one that counts; server-side apply refuses to see others. */
function unique(variables: readonly Variable[]): readonly Variable[] {
  const last = new Map(variables.map((variable, index) => [variable.name, index]));
  return variables.filter(({ name }, index) => last.get(name) === index);
}
