import type { FlinkWorld } from '../../../src/embedded/programs/flink/flink-world.ts';
import type { World } from '../../../src/embedded/world.ts';
import { flinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';

/**
 * What must never be the case with the traffic of blue/green deployments, judged whenever something is stored. `excused`: whether
 * somebody took away what a job ran in.
 */
export function watchTraffic(
  world: World,
  flink: FlinkWorld,
  violate: (what: string) => void,
  excused: () => boolean,
): void {
  const runs = (namespace: string, cluster: string): boolean =>
    flink.runs({ cluster: `${namespace}/${cluster}` }).some(({ isLive }) => isLive);
  // Nobody can know at once that a TaskManager was taken away: Flink starts the job again by itself, and says so when it is asked.
  const restarts = (namespace: string, cluster: string): boolean =>
    excused() && flink.runs({ cluster: `${namespace}/${cluster}` }).at(-1)?.end === 'restarted';

  world.watch(kinds.ingresses, ({ before, after }) => {
    const [from, to] = [before, after].map((one) => (one ? clusterOf(one) : undefined));
    const { namespace = '', name } = after?.metadata ?? {};
    if (after && isBlueGreens(after) && to !== undefined && to !== from && !name?.endsWith('-preview')) {
      if (!runs(namespace, to) && !restarts(namespace, to)) violate(`traffic was led to ${to}, where nothing runs`);
    }
  });

  world.watch<FlinkDeployment>(flinkDeployment.type, ({ before, after }) => {
    const leaves = after?.metadata.deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined;
    const owner = after?.metadata.ownerReferences?.find(({ kind }) => kind === flinkBlueGreenDeployment.type.kind);
    if (!leaves || !owner) return;
    const { namespace = '', name = '' } = after.metadata;
    // With its namespace everything goes, in whatever order.
    if (world.get(kinds.namespaces, undefined, namespace)?.metadata.deletionTimestamp !== undefined) return;
    const resource = world.get(flinkBlueGreenDeployment.type, namespace, owner.name);
    const ingress = world.get(kinds.ingresses, namespace, owner.name);
    if (!resource || resource.metadata.deletionTimestamp !== undefined || !ingress) return;
    if (clusterOf(ingress) === name && runs(namespace, name)) violate(`${name} was deleted while traffic went to it`);
    const other = name.endsWith('-blue') ? name.replace(/blue$/, 'green') : name.replace(/green$/, 'blue');
    if (runs(namespace, name) && !runs(namespace, other)) violate(`${name} was deleted, and nothing else runs`);
  });
}

function isBlueGreens({ metadata }: AnyObject): boolean {
  return (metadata.ownerReferences ?? []).some(({ kind }) => kind === flinkBlueGreenDeployment.type.kind);
}

/** The cluster that an Ingress leads to. */
function clusterOf({ spec }: AnyObject): string | undefined {
  const { rules } = (spec ?? {}) as { rules?: { http?: { paths?: { backend?: Backend }[] } }[] };
  return rules?.[0]?.http?.paths?.[0]?.backend?.service?.name?.replace(/-rest$/, '');
}

interface Backend {
  readonly service?: { readonly name?: string };
}
