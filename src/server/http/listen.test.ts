import * as http from 'node:http';
import { expect, it } from 'vitest';
import { realClock } from '../../clock/real.ts';
import type { Log } from '../../control/log.ts';
import { listen } from './listen.ts';

it('goes on when connections cannot be taken, and says so', async () => {
  const said: string[] = [];
  const say = (_: object, message: string): void => void said.push(message);
  const log: Log = { debug: say, info: say, warn: say, error: say, child: () => log };
  const handler = async () => ({ status: 200, body: 'here' });
  const listening = await listen({ handler, port: 0, host: '127.0.0.1', clock: realClock, log });
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): readonly unknown[] };
  const servers = handles.call(process).filter((one): one is http.Server => one instanceof http.Server);
  const server = servers.find((one) => JSON.stringify(one.address()).includes(`:${listening.port}`));
  // As Node tells of an `accept` that the machine refused.
  for (const code of ['ENOBUFS', 'EMFILE']) server?.emit('error', Object.assign(new Error(`accept ${code}`), { code }));
  expect(said).toEqual(Array(2).fill('the dashboard could not take a connection'));
  expect(await (await fetch(`http://127.0.0.1:${listening.port}/`)).text()).toBe('here');
  await listening.close();
});
