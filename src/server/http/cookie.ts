/**
 * The cookie of a session. Cookies know no ports: its name has the server's, so that two dashboards on one machine do not log
 * each other's people out. Over TLS the prefix makes browsers refuse one that a neighbouring host has planted.
 */
export class SessionCookie {
  readonly #secure: boolean;
  readonly #port: () => number;

  constructor({ secure, port }: { readonly secure: boolean; readonly port: () => number }) {
    this.#secure = secure;
    this.#port = port;
  }

  /** The secret in a `Cookie` header. */
  read(header: string | undefined): string | undefined {
    for (const part of (header ?? '').split(';')) {
      const at = part.indexOf('=');
      if (at > 0 && part.slice(0, at).trim() === this.#name) return part.slice(at + 1).trim();
    }
    return undefined;
  }

  /** The `Set-Cookie` header. It ends with the browser, at the latest with the session. */
  write(secret: string): string {
    return `${this.#name}=${secret}; ${this.#attributes()}`;
  }

  clear(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes()}`;
  }

  get #name(): string {
    return `${this.#secure ? '__Host-' : ''}cutover-${this.#port()}`;
  }

  #attributes(): string {
    return `Path=/; HttpOnly; SameSite=Strict${this.#secure ? '; Secure' : ''}`;
  }
}
