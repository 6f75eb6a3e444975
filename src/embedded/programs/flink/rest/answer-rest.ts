import type { Request, Response } from '../../../../kube/transport.ts';
import { StatusError } from '../../../status-error.ts';
import { answer } from '../../answer.ts';
import type { JobManager } from '../job-manager.ts';
import type { RestApi } from './rest-api.ts';
import { RestError } from './rest-error.ts';

const json = 'application/json; charset=UTF-8';

/** Answers one request, or fails to as was asked for. Without an API nobody leads yet. */
export async function answerRest(manager: JobManager, api: RestApi | undefined, request: Request): Promise<Response> {
  const failure = manager.world.failure(manager.cluster, 'rest', manager.failures);
  if (failure?.mode === 'hang') return never(manager, request);
  if (failure?.mode === 'garbage') return answer(200, 'text/html', '<html><body>502 Bad Gateway</body></html>');
  const { status, text } = await reply(manager, api, request);
  switch (failure?.mode) {
    case 'cut':
      return answer(status, json, text.slice(0, Math.floor(text.length / 2)));
    case 'wrong-job-id':
      return answer(
        status,
        json,
        text.replace(/\b[0-9a-f]{32}\b/g, (id) => [...id].reverse().join('')),
      );
    default:
      return answer(status, json, text);
  }
}

async function reply(
  manager: JobManager,
  api: RestApi | undefined,
  { method, path, headers = {}, body = '' }: Request,
): Promise<{ readonly status: number; readonly text: string }> {
  const electing = new RestError(
    503,
    'Service temporarily unavailable due to an ongoing leader election. Please refresh.',
  );
  try {
    if (!api) throw electing;
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const { status, body: content } = await api.answer(method, path, headers, bytes);
    return { status, text: JSON.stringify(content) };
  } catch (error) {
    if (error instanceof RestError) return { status: error.status, text: JSON.stringify({ errors: error.errors }) };
    if (error instanceof URIError || error instanceof TypeError) {
      return { status: 400, text: JSON.stringify({ errors: ['Bad request received.'] }) };
    }
    manager.log('ERROR', `Unhandled exception: ${error instanceof Error ? error.stack : String(error)}`);
    return { status: 500, text: JSON.stringify({ errors: ['Internal server error.'] }) };
  }
}

/** Until the caller gives up, or the process ends. */
function never(manager: JobManager, { signal }: Request): Promise<Response> {
  return new Promise((_, reject) => {
    const until = signal ? AbortSignal.any([signal, manager.lifetime]) : manager.lifetime;
    const message = `error trying to reach service: read tcp ${manager.address}:${manager.restPort}: connection reset by peer`;
    const giveUp = (): void => reject(new StatusError(503, 'ServiceUnavailable', message));
    if (until.aborted) giveUp();
    else until.addEventListener('abort', giveUp, { once: true });
  });
}
