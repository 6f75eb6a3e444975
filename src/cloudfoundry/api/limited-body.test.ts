import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { realClock } from '../../clock/real.ts';
import { silent } from '../../control/log.ts';
import { CfError } from './cf-error.ts';
import { limitedBody } from './limited-body.ts';
import type { CfEnv } from './platform.ts';
import { serveCfApi } from './serve.ts';

function api(): Hono<CfEnv> {
  const app = new Hono<CfEnv>();
  app.use(limitedBody(10));
  app.all('*', async (c) => c.text(`${c.req.method} ${await c.req.text()}`));
  app.onError((error, c) => c.text(error.message, (error instanceof CfError ? error.status : 500) as 413));
  return app;
}

/** A body without a length, as clients send that do not know it beforehand. */
const chunked = (text: string): RequestInit => ({ body: new Blob([text]).stream(), duplex: 'half' }) as RequestInit;

describe('bodies', () => {
  it.each([
    ['of known length', { body: '0123456789' }, 200, 'POST 0123456789'],
    ['of unknown length', chunked('0123456789'), 200, 'POST 0123456789'],
    ['that are too long, and say so', { body: '0123456789a' }, 413, undefined],
    ['that are too long, and do not', chunked('0123456789a'), 413, undefined],
    ['that are none', {}, 200, 'POST '],
  ])('%s are read or refused over a real connection', async (_how, init: RequestInit, status, text) => {
    const server = await serveCfApi({ api: api(), clock: realClock, log: silent, port: 0 });
    try {
      const answer = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', ...init });
      expect(answer.status).toBe(status);
      if (text !== undefined) expect(await answer.text()).toBe(text);
    } finally {
      await server.close(0);
    }
  });
});
