import type { Query } from './path.ts';
import { formatFieldSelector } from './selector/field-selector.ts';
import { formatSelector, type Selector } from './selector/label-selector.ts';

/** What every call may be given. */
export interface CallOptions {
  /** Ends the call; it then rejects with a `KubeError` of kind `aborted`. */
  readonly signal?: AbortSignal;
  /** How long the answer may take. Default: the client's. */
  readonly timeoutMs?: number;
}

export interface GetOptions extends CallOptions {
  /** Empty or absent: the newest. `'0'`: whatever the server has at hand. */
  readonly resourceVersion?: string;
  /** Only `metadata`: the answer is a `PartialObjectMetadata`. */
  readonly metadataOnly?: boolean;
}

/** Which objects. */
export interface Scope {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: Selector;
  /** As a string, or as fields that must be equal. */
  readonly fieldSelector?: string | Readonly<Record<string, string>>;
}

export interface ListOptions extends Scope, CallOptions {
  /** At most so many; the rest by `continue`. */
  readonly limit?: number;
  /** `metadata.continue` of the page before. Errors: `gone` when it is too old. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** Only `metadata`: items are `PartialObjectMetadata`. */
  readonly metadataOnly?: boolean;
}

export interface WatchOptions extends Scope {
  /** From where. Absent: first all objects as ADDED, then what follows. Errors: `gone` when it is too old. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  /** Ask for BOOKMARK events. Default: true. */
  readonly allowWatchBookmarks?: boolean;
  /** All objects as ADDED, then a BOOKMARK annotated `k8s.io/initial-events-end`, then what follows. */
  readonly sendInitialEvents?: boolean;
  /** After so long the server ends the watch. */
  readonly timeoutSeconds?: number;
  /** Only `metadata`: objects are `PartialObjectMetadata`. */
  readonly metadataOnly?: boolean;
  /** Leave out `metadata.managedFields`, which costs nothing to skip and much to decode. Default: false. */
  readonly withoutManagedFields?: boolean;
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /** Do everything but store it. */
  readonly dryRun?: boolean;
  /** Who owns the written fields. Default: the server derives it from the user agent. */
  readonly fieldManager?: string;
  /** What the server does about unknown and duplicate fields. Its default: `Warn`. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

export interface ApplyOptions extends CallOptions {
  /** The field manager in whose name fields are applied. */
  readonly manager: string;
  /** Take fields over from other managers instead of failing with `conflict`. Default: false. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

export interface DeleteOptions extends CallOptions {
  /** Only this very object; otherwise `conflict`. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** What happens to the objects it owns. Default: the server's, which is `Background` for nearly all kinds. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

/** How an object is changed: an RFC 6902 list, an RFC 7386 document, or Kubernetes' own merge (built-in kinds only). */
export interface Patch {
  readonly type: 'json' | 'merge' | 'strategic';
  readonly body: unknown;
}

export function scopeQuery(scope: Scope): Query {
  const { labelSelector, fieldSelector } = scope;
  const fields = typeof fieldSelector === 'object' ? formatFieldSelector(fieldSelector) : fieldSelector;
  return {
    labelSelector: (labelSelector && formatSelector(labelSelector)) || undefined,
    fieldSelector: fields || undefined,
  };
}

export function listQuery(options: ListOptions): Query {
  return {
    ...scopeQuery(options),
    limit: options.limit,
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  };
}

export function watchQuery(options: WatchOptions): Query {
  return {
    watch: true,
    ...scopeQuery(options),
    allowWatchBookmarks: (options.allowWatchBookmarks ?? true) || undefined,
    sendInitialEvents: options.sendInitialEvents,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    timeoutSeconds: options.timeoutSeconds,
  };
}

export function writeQuery(options: WriteOptions): Query {
  return {
    dryRun: options.dryRun ? 'All' : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  };
}

export function applyQuery(options: ApplyOptions): Query {
  const { manager, force, dryRun, fieldValidation } = options;
  return { fieldManager: manager, force, dryRun: dryRun ? 'All' : undefined, fieldValidation };
}

/** The `DeleteOptions` object that goes as the body. */
export function deleteBody(options: DeleteOptions): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(options.preconditions && { preconditions: options.preconditions }),
    ...(options.propagationPolicy && { propagationPolicy: options.propagationPolicy }),
    ...(options.gracePeriodSeconds !== undefined && { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(options.dryRun && { dryRun: ['All'] }),
  };
}
