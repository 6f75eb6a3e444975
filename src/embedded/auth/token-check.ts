import type { Clock } from '../../clock/clock.ts';
import type { User } from '../gate.ts';
import { at, text } from '../table/fields.ts';
import type { Cluster } from './cluster.ts';
import { quoted } from './rules.ts';
import { issuer, secretIssuer, type TokenClaims, type TokenIssuer } from './token-issuer.ts';

/** Whom a token stands for, or why for nobody. */
export type TokenVerdict = { readonly user: User; readonly audiences: readonly string[] } | { readonly error: string };

/** Checks whether a ServiceAccount's token holds: signed by us, for us, not ended, and its account still the same. */
export class TokenCheck {
  readonly #issuer: TokenIssuer;
  readonly #cluster: Cluster;
  readonly #clock: Clock;

  constructor(options: { readonly issuer: TokenIssuer; readonly cluster: Cluster; readonly clock: Clock }) {
    this.#issuer = options.issuer;
    this.#cluster = options.cluster;
    this.#clock = options.clock;
  }

  /** `audiences`: for whom the token must be meant; one of them is enough. */
  check(token: string, audiences: readonly string[] = [issuer]): TokenVerdict {
    const claims = this.#issuer.read(token);
    if (!claims) return { error: 'invalid bearer token' };
    if (claims.iss === secretIssuer) return this.#secretToken(token, claims);
    const error = this.#expiry(claims) ?? audienceError(claims, audiences) ?? this.#liveness(claims);
    if (error) return { error: `[invalid bearer token, ${error}]` };
    const meant = audiences.filter((each) => claims.aud?.includes(each));
    return { user: userOf(claims), audiences: meant };
  }

  #expiry({ exp, nbf }: TokenClaims): string | undefined {
    const now = Math.floor(this.#clock.now() / 1000);
    if (typeof exp !== 'number' || now >= exp) return 'service account token has expired';
    return typeof nbf === 'number' && now < nbf ? 'service account token is not valid yet' : undefined;
  }

  /** Names are not identities: an account or pod of the same name that came later is another. */
  #liveness(claims: TokenClaims): string | undefined {
    const { namespace, serviceaccount, pod, secret } = claims['kubernetes.io'] ?? {};
    if (!namespace || !serviceaccount) return 'service account token has no account';
    const account = this.#cluster.read('', 'serviceaccounts', namespace, serviceaccount.name);
    if (account?.metadata.uid !== serviceaccount.uid) return 'service account token has been invalidated';
    for (const [plural, bound] of [['pods', pod] as const, ['secrets', secret] as const]) {
      if (bound && this.#cluster.read('', plural, namespace, bound.name)?.metadata.uid !== bound.uid) {
        return 'service account token has been invalidated';
      }
    }
    return undefined;
  }

  #secretToken(token: string, claims: TokenClaims): TokenVerdict {
    const namespace = claims['kubernetes.io/serviceaccount/namespace'] ?? '';
    const name = claims['kubernetes.io/serviceaccount/service-account.name'] ?? '';
    const uid = claims['kubernetes.io/serviceaccount/service-account.uid'] ?? '';
    const secretName = claims['kubernetes.io/serviceaccount/secret.name'] ?? '';
    const secret = this.#cluster.read('', 'secrets', namespace, secretName);
    const stored = Buffer.from(text(at(secret, 'data'), 'token'), 'base64').toString('utf8');
    const account = this.#cluster.read('', 'serviceaccounts', namespace, name);
    if (stored !== token || account?.metadata.uid !== uid) {
      return { error: '[invalid bearer token, service account token has been invalidated]' };
    }
    return { user: { name: claims.sub, uid, groups: groupsOf(namespace) }, audiences: [issuer] };
  }
}

function audienceError({ aud = [] }: TokenClaims, audiences: readonly string[]): string | undefined {
  if (audiences.some((each) => aud.includes(each))) return undefined;
  return `token audiences ${quoted(aud)} is invalid for the target audiences ${quoted(audiences)}`;
}

const groupsOf = (namespace: string): readonly string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
  'system:authenticated',
];

function userOf(claims: TokenClaims): User {
  const { namespace = '', serviceaccount, pod } = claims['kubernetes.io'] ?? {};
  return {
    name: claims.sub,
    ...(serviceaccount && { uid: serviceaccount.uid }),
    groups: groupsOf(namespace),
    extra: {
      'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`],
      ...(pod && {
        'authentication.kubernetes.io/pod-name': [pod.name],
        'authentication.kubernetes.io/pod-uid': [pod.uid],
      }),
    },
  };
}
