/** What proves to the server who we are. */
export interface Identity {
  /** The `Authorization` header. */
  readonly authorization?: string;
  /** A client certificate with its key, as PEM. */
  readonly certificate?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  /** Further headers (impersonation). */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** Where the identity comes from. It may change while requests run: tokens are renewed, certificates too. */
export interface IdentitySource {
  /** The identity to use now. Rejects with a `KubeError` when there is none to be had. */
  current(): Promise<Identity>;
  /** The server refused this identity with 401. True when another one may be had: the request is tried once more. */
  rejected(identity: Identity): boolean;
}

/** An identity that stays. */
export function fixedIdentity(identity: Identity): IdentitySource {
  return { current: async () => identity, rejected: () => false };
}
