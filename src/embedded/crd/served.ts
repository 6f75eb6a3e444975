import type { AnyObject } from '../../kube/object.ts';
import type { Printer, ServedResource } from '../resource.ts';
import type { PrinterColumn } from '../table/printer-for.ts';
import { customStrategy } from './custom-strategy.ts';
import { asDefinition, type Definition, isEstablished, type Version } from './definition.ts';
import { servedSchema } from './served-schema.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;

/**
 * What a definition makes the server serve: one resource per served version, the newest first as `kubectl` prefers
 * them. Nothing before its names are accepted.
 */
export function served(
  object: AnyObject,
  printerFor: (columns: readonly PrinterColumn[] | undefined) => Printer,
): readonly ServedResource[] {
  const definition = asDefinition(object);
  if (!isEstablished(definition)) return [];
  return definition.spec.versions
    .filter((version) => version.served)
    .sort((a, b) => byPriority(a.name, b.name))
    .map((version) => resource(definition, version, printerFor));
}

function resource(
  definition: Definition,
  version: Version,
  printerFor: (columns: readonly PrinterColumn[] | undefined) => Printer,
): ServedResource {
  const { spec, status } = definition;
  const names = status?.acceptedNames ?? spec.names;
  const { scale } = version.subresources ?? {};
  return {
    group: spec.group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    namespaced: spec.scope === 'Namespaced',
    singular: names.singular ?? names.kind.toLowerCase(),
    listKind: names.listKind ?? `${names.kind}List`,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs,
    custom: true,
    schema: servedSchema(version.schema?.openAPIV3Schema),
    status: version.subresources?.status !== undefined,
    scale,
    strategy: customStrategy(definition, version),
    printer: printerFor(version.additionalPrinterColumns),
  };
}

/** `v2` before `v1`, both before `v1beta2`, `v1beta1`, `v1alpha1`, and those before anything else, by name. */
export function byPriority(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor;
}

function rank(version: string): { stage: number; major: number; minor: number } | undefined {
  const parts = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (!parts) return undefined;
  const stage = parts[2] === 'alpha' ? 0 : parts[2] === 'beta' ? 1 : 2;
  return { stage, major: Number(parts[1]), minor: Number(parts[3] ?? 0) };
}
