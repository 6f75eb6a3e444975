import type { ServerTls } from '../agents.ts';
import type { IdentitySource } from '../identity.ts';

/** All that is needed to reach an API server. */
export interface ClusterAccess {
  /** `https://host:6443` */
  readonly server: string;
  readonly tls: ServerTls;
  readonly identity: IdentitySource;
  /** The namespace to work in when none is given. */
  readonly namespace: string;
  /** Where this comes from, for messages: `context "prod" of ~/.kube/config`. */
  readonly source: string;
}
