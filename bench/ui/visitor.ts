import type { StreamEvents } from '../../src/portrait/wire.ts';

/** Somebody with the dashboard open, without a browser. */
export class Visitor implements AsyncDisposable {
  readonly #url: string;
  readonly #cookie: string;
  readonly #leave = new AbortController();
  #reading: Promise<void> = Promise.resolve();

  private constructor(url: string, cookie: string) {
    this.#url = url;
    this.#cookie = cookie;
  }

  static async login(url: string, token: string): Promise<Visitor> {
    const answer = await fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ token }),
    });
    if (!answer.ok) throw new Error(`the dashboard did not let us in: ${answer.status} ${await answer.text()}`);
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';', 1);
    return new Visitor(url, cookie);
  }

  /** Opens the stream, and resolves when the whole fleet was told. */
  async open(told: (event: keyof StreamEvents, data: string) => void = () => undefined): Promise<void> {
    const { signal } = this.#leave;
    const answer = await fetch(`${this.#url}/api/stream`, { headers: { cookie: this.#cookie }, signal });
    if (!answer.ok || !answer.body) throw new Error(`no stream: ${answer.status} ${await answer.text()}`);
    const first = Promise.withResolvers<void>();
    this.#reading = read(answer.body, (event, data) => {
      told(event, data);
      if (event === 'fleet') first.resolve();
    }).catch((error) => (signal.aborted ? undefined : first.reject(error)));
    await first.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave.abort();
    await this.#reading;
  }
}

async function read(
  body: ReadableStream<Uint8Array>,
  told: (event: keyof StreamEvents, data: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const messages = rest.split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const event = /^event: (.*)$/m.exec(message)?.[1];
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (event !== undefined && data !== undefined) told(event as keyof StreamEvents, data);
    }
  }
}
