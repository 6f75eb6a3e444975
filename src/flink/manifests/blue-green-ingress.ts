import type { AnyObject } from '../../kube/object.ts';
import { effectiveConfig } from '../config/effective-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import { read } from '../config/option.ts';
import type { Color } from '../resources/blue-green-transition.ts';
import type { FlinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { previewTemplate } from './blue-green-address.ts';
import { childName } from './blue-green-child.ts';
import { ownedByBlueGreen } from './blue-green-owner.ts';
import { ingressAddress, ingressRules } from './ingress.ts';

export interface BlueGreenIngressWanted {
  readonly resource: FlinkBlueGreenDeployment;
  /** The side that it leads to. */
  readonly color: Color;
  /** The spec that this side has: its port may differ from that of the other. */
  readonly child: FlinkDeploymentSpec;
  readonly operator: OperatorConfig;
}

/** The Ingress that leads to the side that serves; `undefined` when none is asked for. */
export function activeIngress(wanted: BlueGreenIngressWanted): AnyObject | undefined {
  return ingressTo(wanted, wanted.resource.metadata.name ?? '', (template) => template);
}

/** The Ingress that leads to the side that is not serving yet, at the same address with `preview` before it. */
export function previewIngress(wanted: BlueGreenIngressWanted): AnyObject | undefined {
  return ingressTo(wanted, previewName(wanted.resource.metadata.name ?? ''), previewTemplate);
}

/** The name of the preview's Ingress. */
export function previewName(name: string): string {
  return `${name}-preview`;
}

function ingressTo(
  { resource, color, child, operator }: BlueGreenIngressWanted,
  ingressName: string,
  addressed: (template: string) => string,
): AnyObject | undefined {
  const { name = '', namespace = '' } = resource.metadata;
  const { ingress } = resource.spec;
  if (!ingress?.template?.trim()) return undefined;
  const { flinkVersion, flinkConfiguration } = child;
  const config = effectiveConfig(operator, { namespace, flinkVersion }, flinkConfiguration);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: ingressName,
      namespace,
      labels: { ...ingress.labels, component: 'ingress' },
      annotations: { ...ingress.annotations },
      ownerReferences: [ownedByBlueGreen(resource, true)],
    },
    spec: ingressRules(ingress, ingressAddress(addressed(ingress.template), { name, namespace }), {
      cluster: childName(name, color),
      port: read(config, flinkOptions.restPort),
    }),
  };
}
