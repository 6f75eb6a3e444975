import { stringify } from 'yaml';
import type { AnyObject, JsonObject } from '../kube/object.ts';
import type { Chart } from './chart.ts';
import type { ChartEngine, Release } from './engine.ts';
import { renderChart } from './render-chart.ts';

export interface InstallationRequest {
  readonly release: Release;
  readonly values: JsonObject;
  /** Whether the definitions of the kinds are among the objects. */
  readonly crds: boolean;
  /** Only what `helm uninstall` would delete, in an order for `kubectl delete`. Default: all, in an order for `kubectl apply`. */
  readonly forDeletion?: boolean;
}

/**
 * All objects of an installation without Helm, for one `kubectl apply`: first the namespace, then what Helm would create, then what Helm
 * would run after it. What Helm would run before it deletes is left out, for it would be run now.
 *
 * For the deletion it is all but the namespace, in which others may live, and what Helm keeps: to `kubectl delete` that annotation means
 * nothing, and with a definition or the root namespace of Cloud Foundry everything goes that is in it.
 */
export function installation(chart: Chart, request: InstallationRequest, engine: ChartEngine): readonly AnyObject[] {
  const { release, values, crds, forDeletion = false } = request;
  const { objects, hooks } = renderChart(chart, release, values, engine);
  const isDefinition = ({ kind }: AnyObject): boolean => kind === 'CustomResourceDefinition';
  const all = [
    ...objects.filter((object) => crds || !isDefinition(object)),
    ...hooks.filter(isAfterInstall).map(withoutHook),
  ];
  return forDeletion ? all.filter((object) => !isKept(object)).toReversed() : [namespaceOf(release), ...all];
}

const warning =
  '# Delete nothing by this file: all objects of these kinds would go. `cutover install generate --for-deletion` makes one for that.\n';

/** As one text of YAML, with a word on where it comes from. */
export function installationYaml(chart: Chart, request: InstallationRequest, engine: ChartEngine): string {
  const command = `cutover install generate${request.forDeletion ? ' --for-deletion' : ''}`;
  const origin = `# Cutover ${chart.appVersion}: made by \`${command}\` of the chart ${chart.name} ${chart.version}.\n`;
  const head = request.forDeletion ? origin : `${origin}${warning}`;
  const texts = installation(chart, request, engine).map((object) =>
    stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  return `${head}${texts.map((text) => `---\n${text}`).join('')}`;
}

/** A namespace of its own takes only pods as tame as ours are; those that every cluster has are left as they are. */
function namespaceOf({ namespace }: Release): AnyObject {
  const shared = namespace === 'default' || namespace.startsWith('kube-');
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, ...(!shared && { labels }) } };
}

function isKept({ metadata }: AnyObject): boolean {
  return metadata.annotations?.['helm.sh/resource-policy'] === 'keep';
}

function isAfterInstall({ metadata }: AnyObject): boolean {
  return metadata.annotations?.['helm.sh/hook']?.split(',').includes('post-install') ?? false;
}

function withoutHook(object: AnyObject): AnyObject {
  const kept = Object.entries(object.metadata.annotations ?? {}).filter(([key]) => !key.startsWith('helm.sh/hook'));
  const { annotations: _, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: { ...metadata, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) },
  };
}
