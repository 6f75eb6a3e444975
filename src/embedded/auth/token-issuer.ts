import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';

/** A thing whose end is the token's end. */
export interface Bound {
  readonly kind: 'Pod' | 'Secret';
  readonly name: string;
  readonly uid: string;
}

/** What a ServiceAccount's token says. */
export interface TokenClaims {
  readonly aud?: readonly string[];
  /** Seconds since the epoch; tokens kept in Secrets have none. */
  readonly exp?: number;
  readonly nbf?: number;
  readonly iss: string;
  readonly jti?: string;
  readonly sub: string;
  readonly 'kubernetes.io'?: {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
    readonly pod?: { readonly name: string; readonly uid: string };
    readonly secret?: { readonly name: string; readonly uid: string };
  };
  readonly 'kubernetes.io/serviceaccount/namespace'?: string;
  readonly 'kubernetes.io/serviceaccount/secret.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.uid'?: string;
}

export interface Account {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export const issuer = 'https://kubernetes.default.svc.cluster.local';
export const secretIssuer = 'kubernetes/serviceaccount';

const limit = 1000;

/** Signs the tokens of ServiceAccounts (JWT, ES256) and knows its own again. */
export class TokenIssuer {
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #kid: string;
  readonly #clock: Clock;
  readonly #random: Random;
  /** Tokens whose signature has been checked: clients send the same one again and again. */
  readonly #known = new Map<string, TokenClaims>();

  /** `key` is a private key on the curve P-256. */
  constructor({ key, clock, random }: { readonly key: KeyObject; readonly clock: Clock; readonly random: Random }) {
    this.#key = key;
    this.#publicKey = createPublicKey(key);
    const der = this.#publicKey.export({ type: 'spki', format: 'der' });
    this.#kid = createHash('sha256').update(der).digest('base64url');
    this.#clock = clock;
    this.#random = random;
  }

  /** A token that ends by itself. */
  issue(account: Account, audiences: readonly string[], seconds: number, bound?: Bound) {
    const now = Math.floor(this.#clock.now() / 1000);
    const { namespace, name, uid } = account;
    const token = this.#sign({
      aud: audiences,
      exp: now + seconds,
      iat: now,
      iss: issuer,
      jti: this.#random.uuid(),
      'kubernetes.io': {
        namespace,
        ...(bound?.kind === 'Pod' && { pod: { name: bound.name, uid: bound.uid } }),
        ...(bound?.kind === 'Secret' && { secret: { name: bound.name, uid: bound.uid } }),
        serviceaccount: { name, uid },
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    });
    return { token, expires: (now + seconds) * 1000 };
  }

  /** A token that lives as long as the Secret it is kept in. */
  issueForSecret({ namespace, name, uid }: Account, secret: string): string {
    return this.#sign({
      iss: secretIssuer,
      'kubernetes.io/serviceaccount/namespace': namespace,
      'kubernetes.io/serviceaccount/secret.name': secret,
      'kubernetes.io/serviceaccount/service-account.name': name,
      'kubernetes.io/serviceaccount/service-account.uid': uid,
      sub: `system:serviceaccount:${namespace}:${name}`,
    });
  }

  /** What a token says if this issuer signed it. Whether it still holds is not asked here. */
  read(token: string): TokenClaims | undefined {
    const known = this.#known.get(token);
    if (known) return known;
    const claims = this.#verify(token);
    if (!claims) return undefined;
    if (this.#known.size >= limit) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(token, claims);
    return claims;
  }

  #sign(claims: object): string {
    const text = `${part({ alg: 'ES256', kid: this.#kid })}.${part(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  #verify(token: string): TokenClaims | undefined {
    const [header, payload, signature, ...more] = token.split('.');
    if (!header || !payload || !signature || more.length > 0 || token.length > 16_384) return undefined;
    // The algorithm is ours to say, never the token's.
    if (json(header)?.alg !== 'ES256') return undefined;
    const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const text = Buffer.from(`${header}.${payload}`);
    if (!verify('sha256', text, key, Buffer.from(signature, 'base64url'))) return undefined;
    return json(payload) as TokenClaims | undefined;
  }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function json(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
