import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { listening } from './listening.ts';
import { type Log, silent } from './log.ts';

const server = createServer((_, response) => response.end('here'));
afterEach(() => void server.close());

it('goes on when connections cannot be taken, and says so', async () => {
  const said: string[] = [];
  const log: Log = { ...silent, warn: (_, message) => void said.push(message) };
  const port = await listening(server, { what: 'the lamp', port: 0, host: '127.0.0.1', log });
  // As Node tells of an `accept` that the machine refused.
  for (const code of ['ENOBUFS', 'EMFILE']) server.emit('error', Object.assign(new Error(`accept ${code}`), { code }));
  expect(said).toEqual(Array(2).fill('the lamp could not take a connection'));
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here');
  const second = createServer();
  await expect(listening(second, { what: 'another', port, host: '127.0.0.1', log })).rejects.toThrow('EADDRINUSE');
});
