/** Bytes that wait for a reader. More than this, and the reader is too slow to be waited for. */
const defaultLimit = 16 * 1024 * 1024;

export interface ByteQueueOptions {
  /** Whether chunks that wait together may be handed out as one. */
  readonly joined?: boolean;
  /** How many bytes may wait. */
  readonly limit?: number;
  /** Called when more than that would have to wait. The queue has ended then, and what waited is lost. */
  readonly onOverflow?: () => void;
}

/**
 * Chunks from a writer that cannot wait to a reader that may be slow: a watch's events on their way to a socket.
 *
 * The writer never blocks and memory is bounded: a reader that falls too far behind is cut off, as by a server that
 * closes the connection. It will watch again from where it was.
 */
export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #joined: boolean;
  readonly #limit: number;
  readonly #onOverflow: () => void;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  #onLeave: () => void = () => {};

  constructor({ joined = true, limit = defaultLimit, onOverflow = () => {} }: ByteQueueOptions = {}) {
    this.#joined = joined;
    this.#limit = limit;
    this.#onOverflow = onOverflow;
  }

  /** Appends a chunk. Returns `false` when nobody will read it any more. */
  push(chunk: Uint8Array): boolean {
    if (this.#ended) return false;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limit) {
      this.#chunks = [];
      this.end();
      this.#onOverflow();
      return false;
    }
    this.#wake?.();
    return true;
  }

  /** No more chunks will come. Those that wait are still handed out. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
    this.#leave();
  }

  /** Called once, when the queue has ended or its reader has left: whoever feeds it can stop. */
  set onLeave(callback: () => void) {
    this.#onLeave = callback;
    if (this.#ended) this.#leave();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.#chunks.length > 0) {
          const waiting = this.#chunks;
          this.#chunks = [];
          this.#bytes = 0;
          if (this.#joined && waiting.length > 1) yield Buffer.concat(waiting);
          else yield* waiting;
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
      }
    } finally {
      this.#chunks = [];
      this.end();
    }
  }

  #leave(): void {
    const callback = this.#onLeave;
    this.#onLeave = () => {};
    callback();
  }
}
