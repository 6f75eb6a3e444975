/** What a receiver answered. */
export interface Posted {
  readonly status: number;
  /** How long it asks to wait. */
  readonly retryAfterMs?: number;
}

/** Sends a body to an address. Rejects when there is no answer. */
export type Post = (
  url: string,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
) => Promise<Posted>;

/** Over HTTP. Nobody is led elsewhere: headers may be secrets of the one address. */
export const httpPost: Post = async (url, { headers, body, signal }) => {
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
  await response.body?.cancel();
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    ...(seconds >= 0 && { retryAfterMs: Math.min(seconds, 3_600) * 1000 }),
  };
};
