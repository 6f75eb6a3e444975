import { flinkOptions } from '../config/flink-options.ts';
import { sideTemplate } from '../manifests/blue-green-address.ts';
import { flinkDeployment } from '../resources/flink-deployment.ts';
import type { BlueGreenSubject } from './blue-green-subject.ts';
import { deploymentRules } from './deployment.ts';
import { foreignMetadataRules, foreignType } from './high-availability.ts';
import { filledTemplate, templateFault } from './ingress.ts';
import { type Finding, type Rule, shown } from './rule.ts';
import { fieldOfKey, settingOf, shownSetting } from './setting.ts';
import type { DeploymentSubject } from './subject.ts';

const { savepointsDirectory, fixedJobId, haType, hostNetwork, restServiceType } = flinkOptions;

/** What two sides beside each other need of their template. */
const sideRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'transition-savepoint-directory',
    field: 'spec.job.upgradeMode',
    says: 'A template whose upgrade mode keeps state has a directory for savepoints: the other side starts from one.',
    check: ({ job, config }) =>
      (job?.upgradeMode ?? 'stateless') === 'stateless' || settingOf(config, savepointsDirectory)
        ? undefined
        : `spec.job.upgradeMode is ${job?.upgradeMode}, so the other side starts from a savepoint, and ${savepointsDirectory.key} is not set. Write "${savepointsDirectory.key}: s3://…" (before Flink 1.20: state.savepoints.dir) in spec.flinkConfiguration, or upgradeMode "stateless".`,
  },
  {
    rule: 'fixed-job-id',
    field: `spec.flinkConfiguration[${fixedJobId.key}]`,
    says: 'The id of the job is not fixed: the jobs of both sides would share it, and with it their checkpoints.',
    check({ config }) {
      const id = settingOf(config, fixedJobId);
      return (
        id &&
        `${shownSetting(id)}: both sides would run under this id and write to the same checkpoint directory. Remove it from spec.flinkConfiguration; each side gets an id of its own.`
      );
    },
  },
  {
    rule: 'side-recovery-metadata',
    field: fieldOfKey(haType.key),
    says: 'Metadata for recovery is kept in Kubernetes, if anywhere: every second transition uses the cluster id of a colour again, and what is left under it elsewhere cannot be removed.',
    check({ config }) {
      const type = foreignType(config);
      if (!type) return undefined;
      const message = `${shownSetting(type)}: every second transition uses the cluster id of a colour again, and Cutover removes metadata for recovery only in Kubernetes. A job that is left over elsewhere would run instead of the new one. Write "${haType.key}: kubernetes" in spec.flinkConfiguration.`;
      return { field: fieldOfKey(type.key), message };
    },
  },
  {
    rule: 'node-port',
    field: 'spec',
    says: 'No port of the nodes is taken: neither a NodePort for REST, which would be another with each side, nor a hostPort, which only one side can have.',
    check: (subject) => [...nodePort(subject), ...hostPorts(subject)],
  },
  {
    rule: 'host-network',
    field: 'spec',
    says: `No pod template asks for the network of the node, where both sides would want the same ports; only ${hostNetwork.key} is obeyed.`,
    check: hostNetworks,
  },
  {
    rule: 'side-ingress-template',
    field: 'spec.ingress.template',
    says: 'With the colour of a side before it, the template of the sides’ ingress is still a host, a path, or both.',
    check({ resource, spec: { ingress } }) {
      const written = ingress?.template?.trim();
      if (!written || templateFault(filledTemplate(written, resource.metadata))) return undefined;
      const colored = sideTemplate(written, 'GREEN');
      const why = templateFault(filledTemplate(colored, resource.metadata));
      return (
        why &&
        `spec.ingress.template is ${shown(written)}, and with the colour of a side it is ${shown(colored)}: ${why}. Write a shorter host, or remove spec.ingress: the ingress that users need is that of the blue/green deployment itself.`
      );
    },
  },
];

function nodePort({ config }: DeploymentSubject): readonly Finding[] {
  const type = settingOf(config, restServiceType);
  if (restServiceType.kind.parse(type?.text ?? '') !== 'NodePort' || !type) return [];
  const message = `${shownSetting(type)}: a port of the nodes belongs to one Service, so each transition would move REST to another port. Write "${type.key}: ClusterIP" in spec.flinkConfiguration, and an ingress in the spec of the blue/green deployment, which follows the side that serves.`;
  return [{ field: `spec.flinkConfiguration[${type.key}]`, message }];
}

function podTemplates({ spec }: DeploymentSubject) {
  return [
    { field: 'spec.podTemplate', pods: spec.podTemplate?.spec },
    { field: 'spec.jobManager.podTemplate', pods: spec.jobManager?.podTemplate?.spec },
    { field: 'spec.taskManager.podTemplate', pods: spec.taskManager?.podTemplate?.spec },
  ];
}

function hostPorts(subject: DeploymentSubject): readonly Finding[] {
  return podTemplates(subject).flatMap(({ field, pods }) =>
    [...(pods?.containers ?? []), ...(pods?.initContainers ?? [])].flatMap((container) =>
      (container.ports ?? []).flatMap(({ hostPort }) => {
        if (hostPort === undefined || hostPort === null || hostPort === 0) return [];
        const message = `${field} has the hostPort ${shown(hostPort)} in the container ${shown(container.name)}: on one node only one of the two sides can have it. Remove hostPort; Services reach the containerPort.`;
        return [{ field, message }];
      }),
    ),
  );
}

/** Flink lays its own option over this field, because ports depend on it; whoever writes the field does not get what it says. */
function hostNetworks(subject: DeploymentSubject): readonly Finding[] {
  return podTemplates(subject).flatMap(({ field: template, pods }) => {
    if (pods?.hostNetwork !== true) return [];
    const field = `${template}.spec.hostNetwork`;
    const message = `${field} is true: on the network of a node both sides would want the same ports, and Flink obeys only ${hostNetwork.key}. Remove hostNetwork; where pods need that network, write "${hostNetwork.key}: true" in spec.flinkConfiguration with mode native, in which they choose free ports.`;
    return [{ field, message }];
  });
}

/** Answered here by rules of their own, or of no concern because the other side is a new FlinkDeployment. */
const answeredElsewhere: ReadonlySet<string> = new Set([
  'deployment-name',
  'savepoint-upgrade-directory',
  'cluster-kind-change',
  'cluster-mode-change',
  ...foreignMetadataRules.map(({ rule }) => rule),
]);

/** Whatever is refused of a FlinkDeployment is refused of the template, under the names that its fields have there. */
export const templateRules: readonly Rule<BlueGreenSubject>[] = deploymentRules
  .filter(({ rule }) => !answeredElsewhere.has(rule))
  .map(inTemplate);

/** What is refused of the template beyond that. */
export const sideRulesInTemplate: readonly Rule<BlueGreenSubject>[] = sideRules.map(inTemplate);

function inTemplate({ rule, field, says, check }: Rule<DeploymentSubject>): Rule<BlueGreenSubject> {
  return {
    rule,
    field: fieldInTemplate(field),
    says,
    check({ side }) {
      if (!side) return undefined;
      return [check(side)].flat().map((finding: Finding) => {
        if (finding === undefined) return undefined;
        if (typeof finding === 'string') return textInTemplate(finding);
        return { field: fieldInTemplate(finding.field), message: textInTemplate(finding.message) };
      });
    },
  };
}

function fieldInTemplate(field: string): string {
  return field.replace(/^spec\b/, 'spec.template.spec');
}

const fieldOfDeployment = new RegExp(
  `\\bspec(?=\\.(?:${Object.keys(flinkDeployment.spec.field.properties ?? {}).join('|')})\\b)`,
  'g',
);

/** Messages name fields of the FlinkDeployment; whoever reads them here has written them into the template. */
function textInTemplate(message: string): string {
  return message.replaceAll(fieldOfDeployment, 'spec.template.spec');
}
