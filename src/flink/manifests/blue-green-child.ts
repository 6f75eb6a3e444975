import { annotations } from '../../control/annotations.ts';
import type { Color } from '../resources/blue-green-transition.ts';
import type {
  FlinkBlueGreenDeployment,
  FlinkBlueGreenDeploymentSpec,
} from '../resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, type FlinkDeploymentSpec, flinkDeployment } from '../resources/flink-deployment.ts';
import { sideTemplate } from './blue-green-address.ts';
import { ownedByBlueGreen } from './blue-green-owner.ts';

/** The label by which the upstream tells the sides apart. */
export const colorLabel = 'flink/blue-green-deployment-type';

/** The name of the FlinkDeployment that is one side. */
export function childName(name: string, color: Color): string {
  return `${name}-${color.toLowerCase()}`;
}

export interface ChildWanted {
  readonly resource: FlinkBlueGreenDeployment;
  readonly color: Color;
  /** What it is made for; not always what the resource says by now. */
  readonly spec: FlinkBlueGreenDeploymentSpec;
  /** The state that it starts from; empty without a path. */
  readonly restore: { readonly path?: string };
  /** Names this creation and no other; status holds it before the object is made. */
  readonly id: string;
}

/** The FlinkDeployment that is one side. Whoever manages FlinkDeployments runs it. */
export function childObject({ resource, color, spec, restore, id }: ChildWanted): FlinkDeployment {
  const { name = '', namespace } = resource.metadata;
  const wanted = childMetadata(spec, color);
  return {
    apiVersion: flinkDeployment.apiVersion,
    kind: flinkDeployment.type.kind,
    metadata: {
      name: childName(name, color),
      ...(namespace !== undefined && { namespace }),
      labels: wanted.labels,
      annotations: { ...wanted.annotations, [annotations.id]: id },
      ownerReferences: [ownedByBlueGreen(resource, false)],
    },
    spec: childSpec(spec, color, restore.path),
  };
}

/** The labels and annotations of a side. Of the template's metadata nothing else is taken over: the rest is ours to say. */
export function childMetadata(
  { template }: FlinkBlueGreenDeploymentSpec,
  color: Color,
): { readonly labels: Readonly<Record<string, string>>; readonly annotations: Readonly<Record<string, string>> } {
  const { labels, annotations: noted } = template?.metadata ?? {};
  return { labels: { ...labels, [colorLabel]: color }, annotations: { ...noted } };
}

/** The spec of a side that starts from `path`, or empty. A path in the template says nothing by itself. */
export function childSpec(
  { template }: FlinkBlueGreenDeploymentSpec,
  color: Color,
  path: string | undefined,
): FlinkDeploymentSpec {
  const spec = template?.spec ?? {};
  const { ingress, job } = spec;
  const colored = ingress?.template?.trim() ? { ...ingress, template: sideTemplate(ingress.template, color) } : ingress;
  return { ...spec, ...(colored && { ingress: colored }), ...(job && { job: startingFrom(job, path) }) };
}

type Job = NonNullable<FlinkDeploymentSpec['job']>;

function startingFrom({ initialSavepointPath: _, ...job }: Job, path: string | undefined): Job {
  return path === undefined ? job : { ...job, initialSavepointPath: path };
}
