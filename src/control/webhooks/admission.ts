import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createPatch } from 'rfc6902';
import type { AnyObject } from '../../kube/object.ts';
import type { Certificate } from '../certificates/certificate-files.ts';
import { legible } from '../legible.ts';
import { listening } from '../listening.ts';
import type { Log } from '../log.ts';
import { type AdmissionRequest, parseReview, ReviewError } from './admission-review.ts';

/** The answer to a question of admission. */
export type Verdict =
  | { readonly allowed: true; readonly warnings?: readonly string[] }
  /** `message` names the field and the way out. Code 403 unless given. */
  | {
      readonly allowed: false;
      readonly message: string;
      readonly code?: number;
      readonly warnings?: readonly string[];
    };

/** A changed object, or no change when it is the one that was asked about. */
export type Mutation =
  | { readonly allowed: true; readonly object: AnyObject; readonly warnings?: readonly string[] }
  | Extract<Verdict, { readonly allowed: false }>;

/** What is asked at one path of the server. Must have no side effects: requests may be dry runs or be tried again. */
export type Hook =
  | { readonly validate: (request: AdmissionRequest) => Verdict | Promise<Verdict> }
  | { readonly mutate: (request: AdmissionRequest & { readonly object: AnyObject }) => Mutation | Promise<Mutation> };

export interface AdmissionOptions {
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Absent: handshakes fail until `reload` brings one. The API server goes by the webhook's `failurePolicy` meanwhile. */
  readonly certificate?: Certificate;
  /** By path, as the webhook configurations name them: `/validate/lamps`. */
  readonly hooks: Readonly<Record<string, Hook>>;
  readonly log: Log;
  /** Largest body in bytes; a review holds two versions of an object. Default 8 MiB. */
  readonly maxBytes?: number;
}

export interface AdmissionServer {
  readonly port: number;
  /** New connections get this certificate; those that are open keep theirs. A bad certificate throws and changes nothing. */
  reload(certificate: Certificate): void;
  close(): Promise<void>;
}

/**
 * Serves `AdmissionReview` v1 over HTTPS.
 *
 * What cannot be read is answered with a 4xx and one line that says why; a hook that throws with a 500. In both cases
 * the API server goes by the webhook's `failurePolicy`. Neither ever allows by mistake.
 */
export async function serveAdmission(options: AdmissionOptions): Promise<AdmissionServer> {
  const server = createServer(
    { ...options.certificate, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 },
    (request, response) => {
      answer(request, response, options).catch((error: unknown) => {
        if (error instanceof ReviewError) return send(response, error.code, { error: error.message });
        options.log.error({ error, path: request.url }, 'an admission hook failed');
        send(response, 500, { error: 'the hook failed; see the log of the operator' });
      });
    },
  );
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  const port = await listening(server, { ...options, what: 'the admission server' });
  return {
    port,
    reload: (certificate) => server.setSecureContext({ ...certificate, minVersion: 'TLSv1.2' }),
    close: () => closed(server),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: AdmissionOptions): Promise<void> {
  const path = request.url?.split('?', 1)[0] ?? '';
  const hook = Object.hasOwn(options.hooks, path) ? options.hooks[path] : undefined;
  if (!hook) throw new ReviewError(404, `nothing is asked at ${path}`);
  if (request.method !== 'POST') throw new ReviewError(405, 'a review must be POSTed');
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw new ReviewError(415, 'a review must be application/json');
  }
  const asked = parseReview(await read(request, options.maxBytes ?? 8 * 1024 * 1024));
  const verdict = 'validate' in hook ? await hook.validate(asked) : await mutated(hook.mutate, asked);
  send(response, 200, {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: asked.uid, ...verdictOf(verdict) },
  });
}

type Patched = Verdict & { readonly patch?: string };

async function mutated(
  mutate: Extract<Hook, { mutate: unknown }>['mutate'],
  asked: AdmissionRequest,
): Promise<Patched> {
  const { object } = asked;
  if (!object) return { allowed: true };
  const mutation = await mutate({ ...asked, object });
  if (!mutation.allowed) return mutation;
  const { object: after, ...verdict } = mutation;
  const patch = createPatch(object, after);
  return patch.length === 0 ? verdict : { ...verdict, patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

function verdictOf(verdict: Patched): object {
  const { warnings = [], patch } = verdict;
  return {
    allowed: verdict.allowed,
    ...(!verdict.allowed && {
      status: {
        code: verdict.code ?? 403,
        message: legible(verdict.message),
        reason: verdict.code === 422 ? 'Invalid' : 'Forbidden',
      },
    }),
    ...(patch !== undefined && { patchType: 'JSONPatch', patch }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The whole body, or a refusal as soon as it is too long: nothing larger is ever held. */
async function read(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ReviewError(413, `a review may have at most ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, code: number, body: object): void {
  if (response.headersSent) return;
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
