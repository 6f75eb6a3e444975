import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePorts } from './ports.ts';

it('finds different ports on which a server can listen', async () => {
  const ports = await freePorts(8);
  expect(new Set(ports).size).toBe(8);
  for (const port of ports) {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => server.close(resolve));
  }
});
