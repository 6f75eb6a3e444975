import type { FlinkConfig } from '../config/flink-config.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { type Container, mainContainer, type Template } from './kube-types.ts';
import { mergeTemplates } from './merge-templates.ts';
import { podAmounts } from './pod-amounts.ts';

/** Answers once the JobManager serves; until then it is not restarted, however long it takes. */
const startupProbe = {
  httpGet: { path: '/config', port: 'rest' },
  periodSeconds: 1,
  failureThreshold: 2_147_483_647,
};

/** What the pods of a process look like before Flink's own part is added; undefined when users say nothing about them. */
export function podTemplate(
  cluster: FlinkDeploymentSpec,
  settings: FlinkConfig,
  process: 'jobManager' | 'taskManager',
): Template | undefined {
  const specific = cluster[process];
  const byName = read(settings, operatorOptions.mergeArraysByName);
  const merged = mergeTemplates(cluster.podTemplate, specific?.podTemplate, byName);
  const { metadata, spec } = (isObject(merged) ? merged : {}) as Template;
  const { others } = podAmounts(specific);
  const probe = process === 'jobManager' && read(settings, operatorOptions.startupProbe);
  if (!isObject(merged) && !others && !probe) return undefined;

  return {
    ...(isObject(metadata) && { metadata }),
    ...((isObject(spec) || others || probe) && {
      spec: {
        ...(isObject(spec) ? spec : {}),
        ...((others || probe) && {
          containers: withMain(listed(spec?.containers), (main) => ({
            ...(probe && { startupProbe }),
            ...main,
            ...(others && { resources: withAmounts(main.resources, others) }),
          })),
        }),
      },
    }),
  };
}

/** The main container changed, or added when the template has none. */
function withMain(containers: readonly Container[], change: (main: Container) => Container): readonly Container[] {
  const index = containers.findIndex(({ name }) => name === mainContainer);
  if (index < 0) return [...containers, change({ name: mainContainer })];
  return containers.map((one, at) => (at === index ? change(one) : one));
}

type Amounts = NonNullable<ReturnType<typeof podAmounts>['others']>;

function withAmounts(resources: Container['resources'], { requests, limits, claims }: Amounts): Amounts {
  return {
    ...resources,
    ...(requests && { requests: { ...resources?.requests, ...requests } }),
    ...(limits && { limits: { ...resources?.limits, ...limits } }),
    ...(claims && { claims }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listed(value: readonly Container[] | undefined): readonly Container[] {
  return Array.isArray(value) ? value : [];
}
