import { definitionStrategy } from '../crd/definition-strategy.ts';
import { type BuiltInResource, builtInResources, builtInSchema } from '../discovery/built-in.ts';
import { strategyOf } from '../kinds/strategy-of.ts';
import type { ServedResource, Strategy } from '../resource.ts';
import type { Schema } from '../schema/schema.ts';
import { printerOf } from '../table/printer-of.ts';

/** The resources that every Kubernetes serves, tied to their rules, schemas and printers. */
export function builtInServed(): readonly ServedResource[] {
  return builtInResources().filter(isWhole).map(served);
}

/** The first version of autoscalers has a shape of its own; serving it would show what was written in v2 wrongly. */
const isWhole = ({ group, version, kind }: BuiltInResource): boolean =>
  !(group === 'autoscaling' && version === 'v1' && kind === 'HorizontalPodAutoscaler');

function served(resource: BuiltInResource): ServedResource {
  const { group, version, kind, plural, namespaced, singular, shortNames, categories, verbs, subresources } = resource;
  const has = (name: string): boolean => subresources.some((one) => one.name === name);
  return {
    group,
    version,
    kind,
    plural,
    namespaced,
    singular,
    listKind: `${kind}List`,
    shortNames,
    categories,
    verbs,
    custom: false,
    // Unpacking the schemas takes memory and time that a server may never need.
    get schema(): Schema | undefined {
      return builtInSchema(group, version, kind);
    },
    status: has('status'),
    scale: has('scale') ? 'built-in' : undefined,
    strategy: strategyFor(group, kind),
    printer: printerOf(group, kind),
  };
}

function strategyFor(group: string, kind: string): Strategy {
  const isDefinition = group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
  return isDefinition ? definitionStrategy : strategyOf(group, kind);
}
