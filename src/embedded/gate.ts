import type { AnyObject } from '../kube/object.ts';
import type { ServedResource } from './resource.ts';

/** Who asks. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What is known of a caller before it is known who it is. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization?: string;
  /** Subject of a client certificate that the listener has verified against the cluster's CA, or that it is not of ours. */
  readonly certificate?: { readonly commonName: string; readonly organizations: readonly string[] } | 'foreign';
}

/** Says who asks. `undefined` means the credentials are wrong: the answer is 401. No credentials is `system:anonymous`. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<User | undefined>;
}

/** What someone wants to do, in RBAC's terms. */
export interface Attributes {
  readonly user: User;
  readonly verb: string;
  readonly resource?: {
    readonly group: string;
    readonly version: string;
    readonly plural: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  /** For paths that are not resources: `/healthz`. */
  readonly path?: string;
}

/** Says whether they may. */
export interface Authorizer {
  authorize(attributes: Attributes): { readonly allowed: boolean; readonly reason: string };
}

/** A write on its way to the store. */
export interface Attempt {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly resource: ServedResource;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** Absent for DELETE. */
  readonly object: AnyObject | undefined;
  /** Absent for CREATE. */
  readonly oldObject: AnyObject | undefined;
  /** The request's options object: CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: AnyObject;
}

/**
 * Admission: first whoever may change the object, then whoever may refuse it, and in the moment of the write what depends
 * on how the cluster is right then. Refusals are `StatusError`s.
 */
export interface Admission {
  mutate(attempt: Attempt): Promise<{ readonly object: AnyObject | undefined; readonly warnings: readonly string[] }>;
  validate(attempt: Attempt): Promise<{ readonly warnings: readonly string[] }>;
  /** Nothing is written between this and the write: that is what keeps two requests from using up one quota twice. */
  settle(attempt: Attempt): void;
}
