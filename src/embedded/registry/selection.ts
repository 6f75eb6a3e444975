import { isKubeError } from '../../kube/error.ts';
import type { AnyObject } from '../../kube/object.ts';
import { matchesFields, parseFieldSelector } from '../../kube/selector/field-selector.ts';
import { compileSelector } from '../../kube/selector/label-selector.ts';
import type { ServedResource } from '../resource.ts';
import { badRequest } from '../status-error.ts';
import type { Entry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';

/** Which objects of a collection are meant. */
export interface Selection {
  /** Everything is. */
  readonly all: boolean;
  /** The only name that can match, when the selector says so. */
  readonly name: string | undefined;
  matches(entry: Entry): boolean;
}

/**
 * Compiles the selectors of a request.
 *
 * @throws StatusError 400 for selectors that cannot be read, and for fields that the resource does not offer
 */
export function selection(
  resource: ServedResource,
  store: Store,
  labelSelector: string,
  fieldSelector: string,
): Selection {
  const byLabels = labelSelector === '' ? undefined : read(() => compileSelector(labelSelector));
  const fields = read(() => parseFieldSelector(fieldSelector));
  const offered = new Set([
    'metadata.name',
    ...(resource.namespaced ? ['metadata.namespace'] : []),
    ...extraFields(resource),
  ]);
  for (const { field } of fields) {
    if (!offered.has(field)) throw badRequest(unsupported(resource, field));
  }
  const onlyIdentity = fields.every(({ field }) => field === 'metadata.name' || field === 'metadata.namespace');

  const fieldsOf = (entry: Entry): Readonly<Record<string, string>> => ({
    ...(onlyIdentity ? {} : resource.strategy.fields?.(store.object(entry))),
    'metadata.name': entry.name,
    'metadata.namespace': entry.namespace,
  });
  return {
    all: !byLabels && fields.length === 0,
    name: fields.find(({ field, not }) => field === 'metadata.name' && !not)?.value,
    matches: (entry) =>
      (fields.length === 0 || matchesFields(fields, fieldsOf(entry))) &&
      (!byLabels || byLabels(store.object(entry).metadata.labels)),
  };
}

/** The fields a kind offers beyond its identity: those it finds in an object that has nothing. */
function extraFields({ strategy, group, version, kind }: ServedResource): readonly string[] {
  if (!strategy.fields) return [];
  const apiVersion = group ? `${group}/${version}` : version;
  const empty = { apiVersion, kind, metadata: {}, spec: {}, status: {} } as unknown as AnyObject;
  return Object.keys(strategy.fields(empty));
}

function unsupported(resource: ServedResource, field: string): string {
  if (resource.custom || resource.strategy.fields) return `field label not supported: ${field}`;
  return `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function read<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw isKubeError(error) ? badRequest(error.message) : error;
  }
}
