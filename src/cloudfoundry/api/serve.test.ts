import { Server } from 'node:net';
import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { realClock } from '../../clock/real.ts';
import { silent } from '../../control/log.ts';
import type { CfEnv } from './platform.ts';
import { serveCfApi } from './serve.ts';

it('goes on when connections cannot be taken', async () => {
  const listens = vi.spyOn(Server.prototype, 'listen');
  const server = await serveCfApi({ api: new Hono<CfEnv>(), clock: realClock, log: silent, port: 0 });
  const [inside] = listens.mock.contexts as readonly Server[];
  listens.mockRestore();
  for (const code of ['ENOBUFS', 'EMFILE']) expect(inside?.emit('error', new Error(`accept ${code}`))).toBe(true);
  await server.close(0);
});
