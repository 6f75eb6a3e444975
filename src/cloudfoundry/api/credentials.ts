import { createHash } from 'node:crypto';
import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import type { Identity } from '../../kube/identity.ts';
import { badRequest, CfError, invalidAuthToken, notAuthenticated } from './cf-error.ts';
import { credentialsIn, type Who, whoHasCertificate, whoHasToken } from './identity-of.ts';
import type { Caller } from './platform.ts';

export interface CredentialsOptions {
  /** The operator's own: it asks whom a token stands for. */
  readonly client: Client;
  /** Makes a client that speaks with these credentials. It is closed when they have not been used for long. */
  readonly clientFor: (identity: Identity) => Client;
  readonly clock: Clock;
  /** How many callers are kept at once. Default 256. */
  readonly limit?: number;
}

/** Who callers are, and their own connections to Kubernetes. */
export interface Credentials {
  /**
   * @param confidential whether nobody could listen on the way: a certificate comes with its private key
   * @throws CfError 401; 400 for a private key that everybody could read
   */
  identify(authorization: string | undefined, confidential: boolean): Promise<Caller>;
  /** Kubernetes refused them: ask anew next time. */
  forget(authorization: string): void;
  close(): Promise<void>;
}

/** For so long it is believed who a caller is. Kubernetes itself asks at every request: this is only about his name. */
const believedMs = 60_000;
/** For so long a refused token is refused again without asking. */
const refusedMs = 5_000;
/** What a client that is given up may still have under way is over by then. */
const lastCallsMs = 90_000;

interface Entry {
  readonly client: Client;
  readonly who: Promise<Who>;
  readonly until: number;
}

/**
 * Keeps callers by the digest of their header; neither tokens nor keys are kept anywhere but in their connections. The number
 * of callers is bounded: the one not heard of for longest goes first.
 */
export function createCredentials(options: CredentialsOptions): Credentials {
  const { client, clientFor, clock, limit = 256 } = options;
  const entries = new Map<string, Entry>();
  const refused = new Map<string, number>();
  const retired = new Set<Client>();

  const retire = (old: Client): void => {
    retired.add(old);
    clock.after(lastCallsMs, () => void (retired.delete(old) && old.close()));
  };
  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    retire(entry.client);
  };
  const whoIs = (identity: Identity, asHim: Client): Promise<Who> =>
    identity.certificate
      ? whoHasCertificate(asHim, String(identity.certificate.cert))
      : whoHasToken(client, (identity.authorization ?? '').slice('Bearer '.length));

  const remember = (key: string, entry: Entry): Entry => {
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= limit) break;
      drop(oldest);
    }
    return entry;
  };
  const entryOf = (key: string, authorization: string): Entry => {
    const known = entries.get(key);
    if (known && clock.monotonic() < known.until) return remember(key, known);
    const identity = credentialsIn(authorization);
    const own = known?.client ?? clientFor(identity);
    return remember(key, { client: own, who: whoIs(identity, own), until: clock.monotonic() + believedMs });
  };

  return {
    async identify(authorization, confidential) {
      if (!authorization) throw notAuthenticated();
      if (!confidential && /^clientcert /i.test(authorization)) {
        throw badRequest(
          'A client certificate comes with its private key: it is accepted over HTTPS only. Use an https:// address.',
        );
      }
      const key = createHash('sha256').update(authorization).digest('base64');
      if ((refused.get(key) ?? 0) > clock.monotonic()) throw invalidAuthToken();
      const entry = entryOf(key, authorization);
      try {
        const { name, groups } = await entry.who;
        const kind = name.startsWith('system:serviceaccount:') ? 'ServiceAccount' : 'User';
        return { name, kind, groups, client: entry.client };
      } catch (error) {
        if (entries.get(key) === entry) drop(key);
        if (error instanceof CfError && error.status === 401) {
          if (refused.size >= limit) refused.clear();
          refused.set(key, clock.monotonic() + refusedMs);
        }
        throw error;
      }
    },

    forget(authorization) {
      drop(createHash('sha256').update(authorization).digest('base64'));
    },

    async close() {
      const all = [...[...entries.values()].map((entry) => entry.client), ...retired];
      entries.clear();
      retired.clear();
      await Promise.all(all.map((one) => one.close()));
    },
  };
}
