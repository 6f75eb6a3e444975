import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What happens to connections. */
export type Weather =
  | { readonly kind: 'fair' }
  /** Every piece is late, and no more than so much passes in a second. */
  | { readonly kind: 'slow'; readonly latencyMs: number; readonly bytesPerSecond: number }
  /** Each connection is cut when so many bytes of the server have passed: in the middle of whatever it says. */
  | { readonly kind: 'cutting'; readonly afterBytes: () => number }
  /** Connections are taken and never answered. Those that are there fall silent, and stay so for ever. */
  | { readonly kind: 'hole' };

/** One connection and its other half. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** How many bytes of the server may still pass. */
  left: number;
  silent: boolean;
}

/** Stands between a client and a server of this machine. What it passes on it does not understand: it is encrypted. */
export class TcpProxy implements AsyncDisposable {
  /** How many connections it has cut. */
  cuts = 0;
  #weather: Weather = { kind: 'fair' };
  readonly #target: number;
  readonly #listener: Server;
  readonly #pairs = new Set<Pair>();

  private constructor(target: number) {
    this.#target = target;
    this.#listener = createServer((client) => this.#accept(client));
  }

  /** In front of an address such as `https://127.0.0.1:6443`. */
  static async open(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(Number(new URL(url).port));
    await new Promise<void>((resolve) => proxy.#listener.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  /** From now on, also for connections that are there. */
  turn(weather: Weather): void {
    this.#weather = weather;
    for (const pair of this.#pairs) this.#expose(pair);
  }

  cutAll(): void {
    for (const pair of this.#pairs) this.#cut(pair);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#listener.close(resolve));
  }

  #accept(client: Socket): void {
    const pair: Pair = {
      client,
      server: connect(this.#target, '127.0.0.1'),
      left: Number.POSITIVE_INFINITY,
      silent: false,
    };
    this.#pairs.add(pair);
    this.#expose(pair);
    for (const socket of [pair.client, pair.server]) {
      socket.on('error', () => {}); // told by `close`
      socket.on('close', () => {
        pair.client.destroy();
        pair.server.destroy();
        this.#pairs.delete(pair);
      });
    }
    this.#pass(pair, pair.client, pair.server);
    this.#pass(pair, pair.server, pair.client);
  }

  #expose(pair: Pair): void {
    if (this.#weather.kind === 'hole') pair.silent = true;
    pair.left = this.#weather.kind === 'cutting' ? this.#weather.afterBytes() : Number.POSITIVE_INFINITY;
  }

  #pass(pair: Pair, from: Socket, to: Socket): void {
    from.on('data', async (chunk: Buffer) => {
      const weather = this.#weather;
      if (weather.kind === 'slow') {
        from.pause();
        await delay(weather.latencyMs + (chunk.length / weather.bytesPerSecond) * 1000);
        from.resume();
      }
      if (pair.silent || to.destroyed) return;
      if (from === pair.server) pair.left -= chunk.length;
      if (pair.left > 0) to.write(chunk);
      else to.write(chunk.subarray(0, chunk.length + pair.left), () => this.#cut(pair));
    });
    // A connection that fell silent does not tell that its other end is gone, either.
    from.on('end', () => {
      if (!pair.silent) to.end();
    });
  }

  /** Every other one in good order as far as TCP can tell: what was said breaks off all the same. */
  #cut(pair: Pair): void {
    if (!this.#pairs.delete(pair)) return;
    this.cuts += 1;
    if (this.cuts % 2 === 0) pair.client.resetAndDestroy();
    else pair.client.destroy();
    pair.server.destroy();
  }
}
