import type { Clock } from '../../clock/clock.ts';
import { Refusal } from '../http/refusal.ts';
import type { Session } from '../login/session.ts';
import { Stream, type StreamOptions } from './stream.ts';

const beatMs = 15_000;
const mostStreams = 1_000;
const mostOfOne = 128;
/** Whoever takes nothing for so many beats is cut off. */
const mostMissed = 4;

interface Open {
  readonly stream: Stream;
  readonly options: StreamOptions;
  missed: number;
}

/** All open streams. */
export class Streams {
  readonly #clock: Clock;
  readonly #onBeat: () => void;
  readonly #open = new Set<Open>();
  /** Whose they are, also of those that have not begun. */
  readonly #places = new Map<AbortSignal, Session>();
  #timer: (() => void) | undefined;

  /** `onBeat` is called every now and then while there are any. */
  constructor(clock: Clock, onBeat: () => void) {
    this.#clock = clock;
    this.#onBeat = onBeat;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Takes a place for as long as the person is there. Before anything is waited for: whoever asks for many at once gets no
   * more. @throws Refusal 429
   */
  reserve(session: Session, left: AbortSignal): void {
    const own = [...this.#places.values()].filter((one) => one === session).length;
    if (this.#places.size >= mostStreams || own >= mostOfOne || left.aborted) {
      throw new Refusal(429, 'Too many dashboards are open. Close some of your tabs.', { 'retry-after': '10' });
    }
    this.#places.set(left, session);
    left.addEventListener('abort', () => this.#places.delete(left), { once: true });
  }

  add(options: StreamOptions): void {
    const one = { stream: new Stream(options), options, missed: 0 };
    this.#open.add(one);
    options.outlet.closed.addEventListener('abort', () => this.#open.delete(one), { once: true });
    if (options.outlet.closed.aborted) this.#open.delete(one);
    one.stream.begin();
    this.#timer ??= this.#clock.after(beatMs, () => this.#beat());
  }

  close(): void {
    this.#timer?.();
    this.#timer = undefined;
    for (const { options } of this.#open) options.outlet.end();
  }

  #beat(): void {
    for (const one of this.#open) {
      one.missed = one.stream.beat() ? 0 : one.missed + 1;
      if (one.missed >= mostMissed) one.options.outlet.cut();
    }
    this.#onBeat();
    this.#timer = this.#open.size > 0 ? this.#clock.after(beatMs, () => this.#beat()) : undefined;
  }
}
