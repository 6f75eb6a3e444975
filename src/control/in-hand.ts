import type { Clock } from '../clock/clock.ts';
import type { Calls } from './calls.ts';

interface Turn {
  readonly limit: AbortController;
  readonly ended: Promise<void>;
  isActing: boolean;
}

/** A call that was revoked ends at once. One that does not is waited for no longer than this. */
const deafMs = 1_000;

/** What is being worked on, by key: it may have to end before it is done. */
export class InHand {
  readonly #clock: Clock;
  readonly #calls: Pick<Calls, 'revoke' | 'ended'>;
  readonly #turns = new Map<string, Turn>();

  /** `calls`: may go on when their turn is over. */
  constructor(clock: Clock, calls: Pick<Calls, 'revoke' | 'ended'>) {
    this.#clock = clock;
    this.#calls = calls;
  }

  /** `limit` calls it off. Returns the way to say that nothing of it runs any more. */
  begin(key: string, limit: AbortController): () => void {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#turns.set(key, { limit, ended, isActing: false });
    return () => {
      this.#turns.delete(key);
      resolve();
    };
  }

  /** From now on a decision is being carried out. Until then nothing is lost when it is called off. */
  acts(key: string): void {
    const turn = this.#turns.get(key);
    if (turn) turn.isActing = true;
  }

  /**
   * Calls off what is only being looked at, at once, and what is being carried out, with calls that outlived their turn, after
   * `graceMs` at most. Resolves when nothing of it runs any more.
   */
  async end(isMeant: (key: string) => boolean, graceMs: number, why: Error): Promise<void> {
    const meant = [...this.#turns].filter(([key]) => isMeant(key)).map(([, turn]) => turn);
    for (const { limit, isActing } of meant) if (!isActing) limit.abort(why);
    const { promise: deaf, resolve: giveUp } = Promise.withResolvers<void>();
    let lift = this.#clock.after(graceMs, () => {
      for (const { limit } of meant) limit.abort(why);
      // After the turns: none of them begins another call.
      this.#calls.revoke(isMeant, why);
      lift = this.#clock.after(deafMs, giveUp);
    });
    await Promise.all(meant.map(({ ended }) => ended));
    await Promise.race([this.#calls.ended(isMeant), deaf]);
    lift();
  }
}
