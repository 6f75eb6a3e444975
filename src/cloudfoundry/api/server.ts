import { Hono } from 'hono';
import { isKubeError } from '../../kube/error.ts';
import { badRequest, CfError, failure, unknownRequest } from './cf-error.ts';
import type { Credentials } from './credentials.ts';
import { ownTrouble } from './kube-trouble.ts';
import { limitedBody } from './limited-body.ts';
import type { CfContext, CfEnv, CfRoutes, Platform } from './platform.ts';
import { encodedText } from './warn.ts';

export interface CfApiOptions {
  readonly platform: Platform;
  readonly credentials: Credentials;
  /** Every resource's paths. */
  readonly routes: readonly CfRoutes[];
  /** Believe `X-Forwarded-Proto` and `-Host`: only where a proxy sets them and nobody else reaches the API. Default false. */
  readonly trustForwarded?: boolean;
  /** The longest body that is read. Default 1 MiB. */
  readonly maxBody?: number;
}

/** Paths that tell nothing of anybody. */
const open = new Set(['/', '/v3', '/v3/', '/v3/info', '/api/v1/info']);
const oldestCli = [8, 5, 0];

/** The CF API as a function from requests to answers: one handler per path, and around them what all have in common. */
export function createCfApi(options: CfApiOptions): Hono<CfEnv> {
  const { platform, credentials, trustForwarded = false, maxBody = 1 << 20 } = options;
  const { clock, random, log } = platform;
  const api = new Hono<CfEnv>({ strict: false });

  api.use(async (c, next) => {
    const given = c.req.header('x-correlation-id') ?? '';
    const correlationId = /^[-\w.:]{1,128}$/.test(given) ? given : random.uuid();
    c.set('correlationId', correlationId);
    c.set('base', baseOf(c, trustForwarded));
    const begun = clock.monotonic();
    await next();
    c.header('x-correlation-id', correlationId);
    const ms = Math.round(clock.monotonic() - begun);
    const fields = { method: c.req.method, path: c.req.path, status: c.res.status, ms, user: c.var.caller?.name };
    log[c.res.status >= 500 ? 'warn' : 'info']({ ...fields, correlationId }, 'answered');
  });
  api.use(async (c, next) => {
    refuseOldCli(c.req.header('user-agent') ?? '');
    if (!open.has(c.req.path)) {
      if (!platform.isReady())
        throw failure(503, 'The API is starting and has not seen the cluster yet. Try again in a moment.');
      const caller = await credentials.identify(c.req.header('authorization'), isConfidential(c, trustForwarded));
      c.set('caller', caller);
      if (!platform.directory.hasRoles(caller)) c.header('x-cf-warnings', withoutRoles(caller));
    }
    await next();
  });
  api.use(limitedBody(maxBody));
  for (const add of options.routes) add(api, platform);

  api.notFound((c) => answered(c, unknownRequest()));
  api.onError((thrown, c) => {
    const { correlationId } = c.var;
    // What a handler asks for a caller it translates itself: this is about the operator's own requests.
    const error = isKubeError(thrown) ? ownTrouble(thrown) : thrown;
    if (error instanceof CfError) {
      if (error.status === 401) credentials.forget(c.req.header('authorization') ?? '');
      if (error.status >= 500) {
        const lacksRight = isKubeError(error.cause, 'unauthorized', 'forbidden');
        const what = lacksRight ? 'Kubernetes does not let the operator itself ask' : 'a request failed';
        log[lacksRight ? 'error' : 'warn']({ error, correlationId }, what);
      }
      return answered(c, error);
    }
    log.error({ error, correlationId }, 'a bug: a handler failed');
    return answered(c, failure(500, `An unknown error occurred. The log has more under ${correlationId}.`));
  });
  return api;
}

function answered(c: CfContext, error: CfError): Response {
  return c.json(error.body, error.status as 400);
}

/** The address under which the client knows us. */
function baseOf(c: CfContext, trustForwarded: boolean): string {
  const { origin, protocol, host } = new URL(c.req.url);
  if (!trustForwarded) return origin;
  const scheme = first(c.req.header('x-forwarded-proto')) === 'https' ? 'https:' : protocol;
  const name = first(c.req.header('x-forwarded-host')) ?? host;
  return /^[\w.:[\]-]+$/.test(name) ? `${scheme}//${name}` : origin;
}

function first(list: string | undefined): string | undefined {
  return list?.split(',')[0]?.trim() || undefined;
}

interface Bindings {
  readonly incoming?: { readonly socket?: { readonly encrypted?: boolean; readonly remoteAddress?: string } };
}

/** Whether nobody could listen: TLS, or the same machine without anybody in between. Calls within the process are. */
function isConfidential(c: CfContext, trustForwarded: boolean): boolean {
  const socket = (c.env as Bindings | undefined)?.incoming?.socket;
  if (!socket || socket.encrypted) return true;
  const forwarded = first(c.req.header('x-forwarded-proto'));
  if (trustForwarded && forwarded === 'https') return true;
  const direct = forwarded === undefined && !c.req.header('x-forwarded-for') && !c.req.header('forwarded');
  return direct && /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '');
}

function withoutRoles({ kind, name }: { readonly kind: string; readonly name: string }): string {
  // The client takes the header for a list, and each entry for percent-encoded.
  const safe = encodedText(name, /[\w:.@/-]/);
  return `Warning: subject '${kind}/${safe}' has no CF roles assigned. This is not supported and may cause unexpected behaviour.`;
}

/** `cf` before 8.5.0 knows nothing of Kubernetes' credentials. */
function refuseOldCli(userAgent: string): void {
  const [, ...version] = /^cf\/(\d+)\.(\d+)\.(\d+)/.exec(userAgent) ?? [];
  const numbers = version.map(Number);
  const different = numbers.findIndex((number, at) => number !== oldestCli[at]);
  if (different === -1 || (numbers[different] ?? 0) > (oldestCli[different] ?? 0)) return;
  throw badRequest(
    `You are using cf version ${numbers.join('.')}. This API needs version ${oldestCli.join('.')} or later: update the cf CLI.`,
  );
}
