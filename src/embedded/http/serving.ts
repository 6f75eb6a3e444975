import type { AnyObject } from '../../kube/object.ts';
import type { Request } from '../../kube/transport.ts';
import type { Authenticator, Credentials, User } from '../gate.ts';
import type { Call, Ground } from '../registry/ground.ts';
import type { Resources } from '../registry/resources.ts';
import type { WriteOptions } from '../registry/write-options.ts';
import type { Draft, ServedResource } from '../resource.ts';
import type { PodRuntime } from '../runtime.ts';
import type { Answer } from './answer.ts';

/** A resource that is asked and answered but never stored: reviews, token requests. */
export interface VirtualResource {
  /** Answers a create; `draft` is decoded. The answer has code 201. */
  create(call: Call, draft: Draft, options: WriteOptions): Promise<AnyObject>;
}

/** Everything that answers requests, tied together by the composition. */
export interface Serving {
  readonly ground: Ground;
  readonly resources: Resources;
  readonly authenticator: Authenticator;
  readonly runtime: PodRuntime;
  /** The handler of a resource or subresource (`serviceaccounts/token`) that is not stored. */
  virtual(resource: ServedResource, subresource: string): VirtualResource | undefined;
  /** Answers paths that are about the server itself: discovery, OpenAPI, version. */
  about(path: string, accept: string, query: URLSearchParams): Promise<Answer | undefined>;
  /** Called with failures that are the server's own fault. */
  readonly trouble: (what: string, error: unknown) => void;
}

/** A request that has arrived, by whatever way. */
export interface Arrival extends Request {
  readonly credentials: Credentials;
}

/** A request by someone who is known. */
export interface Visit {
  readonly request: Request;
  readonly user: User;
  readonly query: URLSearchParams;
  readonly warnings: string[];
}
