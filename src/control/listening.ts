import type { AddressInfo, Server } from 'node:net';
import type { Log } from './log.ts';

export interface ListeningOptions {
  /** Who listens, as it is said in the log: `the dashboard`. */
  readonly what: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Default: all interfaces. */
  readonly host?: string | undefined;
  readonly log: Log;
}

/**
 * The port that a server listens at from now on. Rejects when it cannot be had. A connection that cannot be taken later on is
 * told to the log: an error that nobody hears would end the process.
 */
export async function listening(server: Server, { what, port, host, log }: ListeningOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => log.warn({ error }, `${what} could not take a connection`));
  return (server.address() as AddressInfo).port;
}
