import { createHash } from 'node:crypto';
import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import type { Identity } from '../../kube/identity.ts';
import { badRequest, CfError, failure, invalidAuthToken, notAuthenticated } from './cf-error.ts';
import { credentialsIn, mustFit, whoHasCertificate, whoHasToken } from './identity-of.ts';
import { type KeptCaller, keptCallers } from './kept-callers.ts';
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
   * @throws CfError 401; 400 for a private key that everybody could read; 503 when nobody can tell who it is
   */
  identify(authorization: string | undefined, confidential: boolean): Promise<Caller>;
  /** Kubernetes refused them: ask anew next time. */
  forget(authorization: string): void;
  close(): Promise<void>;
}

/** For so long refused credentials are refused again without asking. */
const refusedMs = 5_000;
/** So many strangers are asked about at once. */
const strangersAtOnce = 64;

/**
 * Keeps callers by the digest of their credentials; neither tokens nor keys are kept anywhere but in their connections. A stranger
 * costs nobody anything: only who is known takes the place of another, and what was opened to ask about a certificate is closed
 * when it is refused.
 */
export function createCredentials(options: CredentialsOptions): Credentials {
  const { client, clientFor, clock, limit = 256 } = options;
  const kept = keptCallers(clock, limit);
  const asking = new Map<string, Promise<KeptCaller>>();
  const refused = new Map<string, number>();
  /** Opened for certificates that are being asked about. */
  const unproven = new Set<Client>();
  let closed = false;

  const keep: typeof kept.keep = (key, who, make) => {
    if (closed) throw failure(503, 'The API is closing. Try again in a moment.');
    refused.delete(key);
    return kept.keep(key, who, make);
  };
  const byToken = async (key: string, identity: Identity): Promise<KeptCaller> => {
    const who = await whoHasToken(client, (identity.authorization ?? '').slice('Bearer '.length));
    return keep(key, who, () => clientFor(identity));
  };
  const byCertificate = async (key: string, identity: Identity, cert: string): Promise<KeptCaller> => {
    const known = kept.get(key)?.client;
    if (known) return keep(key, await whoHasCertificate(known, cert), () => clientFor(identity));
    const own = clientFor(identity);
    unproven.add(own);
    try {
      const caller = keep(key, await whoHasCertificate(own, cert), () => own);
      unproven.delete(own);
      return caller;
    } catch (error) {
      if (unproven.delete(own)) void own.close();
      throw error;
    }
  };
  const refuse = (key: string): void => {
    kept.drop(key);
    refused.delete(key);
    refused.set(key, clock.monotonic() + refusedMs);
    for (const oldest of refused.keys()) {
      if (refused.size <= limit) break;
      refused.delete(oldest);
    }
  };
  const ask = async (key: string, identity: Identity): Promise<KeptCaller> => {
    try {
      if (!identity.certificate) return await byToken(key, identity);
      return await byCertificate(key, identity, mustFit(identity.certificate));
    } catch (error) {
      if (error instanceof CfError && error.status === 401) refuse(key);
      throw error;
    } finally {
      asking.delete(key);
    }
  };
  /** Whoever comes with the same credentials meanwhile waits for the same answer. */
  const asked = (key: string, identity: Identity, isKnown: boolean): Promise<KeptCaller> => {
    const same = asking.get(key);
    if (same) return same;
    if (!isKnown && asking.size >= strangersAtOnce) {
      throw failure(503, 'Too many callers whom nobody knows yet ask at the same time. Try again in a moment.');
    }
    // Not before it is entered: an answer may come at once.
    const answer = Promise.resolve().then(() => ask(key, identity));
    asking.set(key, answer);
    return answer;
  };

  return {
    async identify(authorization, confidential) {
      if (!authorization) throw notAuthenticated();
      if (!confidential && /^clientcert /i.test(authorization)) {
        throw badRequest(
          'A client certificate comes with its private key: it is accepted over HTTPS only. Use an https:// address.',
        );
      }
      const identity = credentialsIn(authorization);
      const key = digestOf(identity);
      if ((refused.get(key) ?? 0) > clock.monotonic()) throw invalidAuthToken();
      const known = kept.get(key);
      const believed = known && clock.monotonic() < known.until;
      const { client: own, who } = believed ? known : await asked(key, identity, known !== undefined);
      const kind = who.name.startsWith('system:serviceaccount:') ? 'ServiceAccount' : 'User';
      return { ...who, kind, client: own };
    },

    forget(authorization) {
      try {
        kept.doubt(digestOf(credentialsIn(authorization)));
      } catch {
        // No credentials: nobody is known by them.
      }
    },

    async close() {
      closed = true;
      const open = [...unproven];
      unproven.clear();
      await Promise.all([kept.close(), ...open.map((one) => one.close())]);
    },
  };
}

/** The same for the same credentials, however the header spells them. */
function digestOf({ authorization = '', certificate }: Identity): string {
  const parts = [authorization, certificate?.cert ?? '', certificate?.key ?? ''];
  const spelled = JSON.stringify(parts.map((part) => String(part).replace(/\s/g, '')));
  return createHash('sha256').update(spelled).digest('base64');
}
