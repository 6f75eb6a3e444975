import { createServer } from 'node:net';

/**
 * Loopback ports that nothing listens on, all different.
 *
 * Caveat: they are free at the moment of asking; somebody else may take one before its server starts. Whoever starts
 * servers on them tries again with new ones when that happens.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const held = await Promise.all(Array.from({ length: count }, hold));
  const ports = held.map(({ port }) => port);
  await Promise.all(held.map(({ release }) => release()));
  return ports;
}

function hold(): Promise<{ readonly port: number; readonly release: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('no port'));
      resolve({ port: address.port, release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}
