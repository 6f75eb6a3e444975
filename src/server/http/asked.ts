/** A request as handlers see it: no socket, so that a test can make one. */
export interface Asked {
  readonly method: string;
  /** Without the query, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  /** Where it came from: `127.0.0.1`. */
  readonly address: string;
  /** Whether it came over TLS. */
  readonly secure: boolean;
  /** The whole body. @throws Refusal 413 as soon as it is too long: nothing larger is ever held */
  body(): Promise<string>;
  /** Aborted when the person leaves. */
  readonly left: AbortSignal;
}

export type Answer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | {
      readonly status: 200;
      readonly headers: Readonly<Record<string, string>>;
      /** Is called once the head is on its way. */
      readonly stream: (outlet: Outlet) => void;
    };

/** Where an answer goes that does not end by itself. */
export interface Outlet {
  write(chunk: string | Uint8Array): void;
  /** What was written last is not taken off our hands yet: write no more until it is. */
  readonly full: boolean;
  /** Is called whenever it is no longer full. */
  onDrain(callback: () => void): void;
  /** What was written is still sent. */
  end(): void;
  /** Ends at once: whoever does not read does not get the rest. */
  cut(): void;
  /** Aborted when nothing more can be written, for whatever reason. */
  readonly closed: AbortSignal;
}

export type Handler = (asked: Asked) => Promise<Answer>;

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}
