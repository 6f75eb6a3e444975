import { createServer } from 'node:net';

/** This port of 127.0.0.1, or 0, which is any, when it is taken. */
export function freePort(usual: number): Promise<number> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(0));
    probe.listen(usual, '127.0.0.1', () => probe.close(() => done(usual)));
  });
}
