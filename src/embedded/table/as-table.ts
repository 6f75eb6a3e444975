import type { AnyObject, ObjectList } from '../../kube/object.ts';
import type { Column, ServedResource } from '../resource.ts';
import { columns } from './columns.ts';
import { text } from './fields.ts';

export interface TableOptions {
  /** How much of each object comes with its row. Kubernetes' own default is Metadata. */
  readonly includeObject?: 'None' | 'Metadata' | 'Object';
  readonly now: number;
  /** The list's metadata, or `{ resourceVersion }` of a single object. */
  readonly listMeta?: ObjectList['metadata'];
  /** False for all but the first event of a watch: the columns are sent once. */
  readonly headers?: boolean;
}

const fallback = columns('Name | Created At:date');

/** Objects as a `meta.k8s.io/v1` Table: the form in which `kubectl get` asks for everything. */
export function asTable(
  resource: Pick<ServedResource, 'printer'>,
  objects: readonly AnyObject[],
  options: TableOptions,
): Readonly<Record<string, unknown>> {
  const { includeObject = 'Metadata', now, listMeta = {}, headers = true } = options;
  const { printer } = resource;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: listMeta,
    columnDefinitions: headers ? (printer?.columns ?? fallback).map(definition) : null,
    rows: objects.map((object) => {
      const conditions = rowConditions(object);
      return {
        cells: printer?.cells(object, now) ?? [object.metadata.name, object.metadata.creationTimestamp ?? null],
        ...(conditions && { conditions }),
        object: embedded(object, includeObject),
      };
    }),
  };
}

function definition({ name, type, format = '', description = '', priority }: Column) {
  return { name, type, format, description, priority };
}

function embedded(object: AnyObject, include: 'None' | 'Metadata' | 'Object'): unknown {
  if (include === 'None') return null;
  if (include === 'Object') return object;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

/** Pods that have ended are marked, so that a client may hide them. */
function rowConditions(object: AnyObject): readonly unknown[] | undefined {
  if (object.kind !== 'Pod' || object.apiVersion !== 'v1') return undefined;
  const reason = text(object, 'status.phase');
  if (reason !== 'Succeeded' && reason !== 'Failed') return undefined;
  const message = reason === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.';
  return [{ type: 'Completed', status: 'True', reason, message }];
}
