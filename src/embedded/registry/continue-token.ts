import { badRequest } from '../status-error.ts';

/** Where a list goes on. */
export interface ContinueToken {
  /** The revision of the whole list; negative for "whatever is newest now". */
  readonly revision: number;
  /** `namespace/name` of the last object of the page before. */
  readonly after: string;
}

/** Opaque to clients; the shape is Kubernetes' own. */
export function encodeToken({ revision, after }: ContinueToken): string {
  const json = JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` });
  return Buffer.from(json).toString('base64url');
}

/** @throws StatusError 400 */
export function decodeToken(token: string): ContinueToken {
  let parsed: { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown };
  const text = Buffer.from(token, 'base64url').toString('utf8');
  try {
    parsed = JSON.parse(text);
  } catch {
    const why =
      text === '' ? 'unexpected end of JSON input' : `invalid character '${text[0]}' looking for beginning of value`;
    throw badRequest(`invalid continue token: continue key is not valid: ${why}`);
  }
  if (parsed?.v !== 'meta.k8s.io/v1') {
    throw badRequest(
      `invalid continue token: continue key is not valid: server does not recognize this encoded version ${String(parsed?.v ?? '')}`,
    );
  }
  const { rv, start } = parsed;
  if (typeof rv !== 'number' || !Number.isInteger(rv) || rv === 0) {
    throw badRequest(
      'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    );
  }
  if (typeof start !== 'string' || start === '') {
    throw badRequest(
      'invalid continue token: continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
    );
  }
  const steps = start.replace(/^\//, '').split('/');
  if (steps.length > 2 || steps.some((step) => step === '' || step === '.' || step === '..')) {
    throw badRequest(`invalid continue token: continue key is not valid: ${start}`);
  }
  return { revision: rv, after: start.endsWith('\u0000') ? start.slice(0, -1) : start };
}
