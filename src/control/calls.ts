import type { Json } from '../kube/object.ts';
import type { CallAction } from './decision.ts';
import type { OutcomeBook } from './outcome.ts';
import { PortError, type Ports } from './port.ts';
import { raceAbort } from './race-abort.ts';
import { unseal } from './sealed.ts';

interface Running {
  readonly key: string;
  readonly call: Promise<Json>;
  readonly right: AbortController;
}

/**
 * Runs the verbs of ports and writes down what became of them.
 *
 * Guarantees: in one process a call that is still running is joined, never started a second time, and one that is known
 * to be done is not run again. A caller that stops waiting (deadline) does not end the call; its outcome is written
 * down when it comes, and `onLate` tells whose it is. What is revoked ends at once.
 */
export class Calls {
  readonly #ports: Ports;
  readonly #book: OutcomeBook;
  readonly #onLate: (key: string) => void;
  readonly #running = new Map<string, Running>();

  constructor(ports: Ports, book: OutcomeBook, onLate: (key: string) => void) {
    this.#ports = ports;
    this.#book = book;
    this.#onLate = onLate;
  }

  /** Whether this very call is known to have happened. */
  isDone(key: string, action: CallAction): boolean {
    return this.#book.of(key)[action.id]?.result === 'done';
  }

  /** Resolves when the call is done and written down. Rejects with a `PortError`, or the signal's reason. */
  async run(key: string, action: CallAction, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const call = this.#running.get(action.id)?.call ?? this.#start(key, action, signal);
    await raceAbort(call, signal);
  }

  /** Ends what runs for some keys: another is about to act on them. */
  revoke(isMeant: (key: string) => boolean, why: Error): void {
    for (const { key, right } of this.#running.values()) if (isMeant(key)) right.abort(why);
  }

  /** Resolves when what runs now for some keys has ended and is written down. */
  async ended(isMeant: (key: string) => boolean): Promise<void> {
    const meant = [...this.#running.values()].filter(({ key }) => isMeant(key));
    await Promise.allSettled(meant.map(({ call }) => call));
  }

  #start(key: string, action: CallAction, signal: AbortSignal): Promise<Json> {
    const ports = this.#ports;
    const port = Object.hasOwn(ports, action.port) ? ports[action.port] : undefined;
    const verb = port && Object.hasOwn(port, action.verb) ? port[action.verb] : undefined;
    if (!verb) throw new Error(`no port is registered for the call ${action.port}.${action.verb}`);
    const { id } = action;
    const right = new AbortController();
    const call = Promise.resolve()
      .then(() => verb({ id, args: unseal(action.args) as Json, signal, revoked: right.signal }))
      .catch((error: unknown) => Promise.reject(asPortError(error, action)));
    this.#running.set(id, { key, call, right });
    const settled = (): void => {
      this.#running.delete(id);
      if (signal.aborted) this.#onLate(key);
    };
    call.then(
      (value) => {
        this.#book.done(key, action, value);
        settled();
      },
      (error: PortError) => {
        this.#book.failed(key, action, error.kind === 'refused' ? 'refused' : 'unavailable', error.message);
        settled();
      },
    );
    return call;
  }
}

/** What a port throws besides `PortError` says nothing about the effect. */
function asPortError(error: unknown, action: CallAction): PortError {
  if (error instanceof PortError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new PortError('unknown', `${action.port}.${action.verb}: ${why}`, { cause: error });
}
