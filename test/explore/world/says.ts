import type { FlinkBlueGreenDeploymentStatus } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { Request } from './server.ts';
import { backendOf, type World } from './world.ts';

/** A request of the operator, for a trace. */
export function describeRequest({ cluster }: World, request: Request): string {
  switch (request.do) {
    case 'status':
      return `the operator writes ${statusText(cluster.resource?.status, request.status as FlinkBlueGreenDeploymentStatus)}`;
    case 'create':
    case 'apply': {
      const { kind, metadata } = request.object;
      const color = kind === 'Ingress' ? backendOf(request.object as Parameters<typeof backendOf>[0]) : undefined;
      if (color) return `the operator leads the Ingress to ${color.toLowerCase()}`;
      return `the operator creates ${kind === 'FlinkStateSnapshot' ? 'a savepoint' : (metadata.name ?? '')}`;
    }
    case 'patch': {
      const what = request.patch.map((one) => one.path).join(', ');
      return `the operator patches ${what} of ${request.of.name}`;
    }
    case 'delete':
      return `the operator deletes ${request.of.kind === 'FlinkDeployment' ? request.of.name : `the ${request.of.kind}`}`;
  }
}

function statusText(before: FlinkBlueGreenDeploymentStatus | undefined, after: FlinkBlueGreenDeploymentStatus): string {
  const state = after.blueGreenState === before?.blueGreenState ? '' : (after.blueGreenState ?? '');
  const phase =
    after.transition?.phase === before?.transition?.phase ? '' : (after.transition?.phase ?? 'no transition');
  const words = [state, phase].filter((word) => word !== '');
  return words.length > 0 ? `status: ${words.join(', ')}` : 'status';
}
