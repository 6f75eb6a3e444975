import { createHash } from 'node:crypto';
import type { Authenticator, Credentials, User } from '../gate.ts';
import type { TokenCheck, TokenVerdict } from './token-check.ts';
import { issuer } from './token-issuer.ts';

/** A token that stands for someone as long as the server runs. */
export interface StaticToken {
  readonly token: string;
  readonly user: User;
}

export interface AuthenticatorOptions {
  readonly tokens?: readonly StaticToken[];
  readonly accounts: TokenCheck;
}

const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Says who asks: by client certificate, static token or ServiceAccount token, in this order. */
export class Gatekeeper implements Authenticator {
  readonly #tokens: ReadonlyMap<string, User>;
  readonly #accounts: TokenCheck;

  constructor({ tokens = [], accounts }: AuthenticatorOptions) {
    this.#tokens = new Map(tokens.map(({ token, user }) => [digest(token), authenticated(user)]));
    this.#accounts = accounts;
  }

  async authenticate({ certificate, authorization }: Credentials): Promise<User | undefined> {
    if (typeof certificate === 'object' && certificate.commonName) {
      return authenticated({ name: certificate.commonName, groups: certificate.organizations });
    }
    const token = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (!token) return certificate === 'foreign' ? undefined : anonymous;
    const verdict = this.review(token);
    return 'user' in verdict ? verdict.user : undefined;
  }

  /** Whom a token stands for. Static tokens are meant for this server and for nobody else. */
  review(token: string, audiences: readonly string[] = [issuer]): TokenVerdict {
    // Looked up by digest: how long a look-up takes must not tell how much of a token was right.
    const user = this.#tokens.get(digest(token));
    if (user && audiences.includes(issuer)) return { user, audiences: [issuer] };
    return this.#accounts.check(token, audiences);
  }
}

const digest = (token: string): string => createHash('sha256').update(token).digest('base64');

function authenticated(user: User): User {
  if (user.groups.includes('system:authenticated')) return user;
  return { ...user, groups: [...user.groups, 'system:authenticated'] };
}

/** Reads Kubernetes' token file: lines of `token,user,uid,"group1,group2"`. Throws an `Error` that names the line. */
export function parseTokenFile(text: string): readonly StaticToken[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const cells = [...line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)];
    const [token, name, uid, groups] = cells.map((cell) => (cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '').trim());
    if (!token || !name) throw new Error(`token file, line ${index + 1}: expected token,user,uid,"group1,group2"`);
    const list = (groups ?? '').split(',').map((group) => group.trim());
    return [{ token, user: { name, ...(uid && { uid }), groups: list.filter((group) => group !== '') } }];
  });
}
