import { createHash } from 'node:crypto';
import type { Clock } from '../../clock/clock.ts';
import { Session, type SessionParts } from './session.ts';

const longestMs = 12 * 3_600_000;
const idleMs = 3_600_000;
const sweepMs = 60_000;
/** So many that are over are remembered. */
const mostOver = 10_000;

interface Kept {
  readonly session: Session;
  /** By the clock that never jumps. */
  readonly until: number;
  usedAt: number;
}

export interface SessionsOptions {
  readonly clock: Clock;
  /** 256 bits that nobody can guess. */
  readonly secret: () => string;
  /** How many at once. Default 1000: the one not used for longest makes room. */
  readonly limit?: number;
}

/**
 * Who is logged in, by the hash of the secret in their cookie: whoever reads this memory cannot make a cookie of it. A session
 * ends after twelve hours, with the token that began it, or after an hour in which nothing was asked and nothing was open.
 */
export class Sessions {
  readonly #clock: Clock;
  readonly #secret: () => string;
  readonly #limit: number;
  /** The one used last is the last. */
  readonly #kept = new Map<string, Kept>();
  /** Those that had their time or were ended by their people. */
  readonly #over = new Set<string>();
  #sweep: (() => void) | undefined;

  constructor({ clock, secret, limit = 1_000 }: SessionsOptions) {
    this.#clock = clock;
    this.#secret = secret;
    this.#limit = limit;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Begins a session; it ends at `end` if that is sooner than all others do. `again`: one that began in another process. */
  begin(
    parts: Omit<SessionParts, 'csrf' | 'expiresAt' | 'access'> & {
      readonly end?: number;
      readonly again?: { readonly secret: string; readonly csrf: string };
      readonly access: (session: () => Session) => SessionParts['access'];
    },
  ): { readonly secret: string; readonly session: Session } {
    const { who, connect, end, again } = parts;
    const now = this.#clock.now();
    const expiresAt = Math.min(now + longestMs, end ?? Number.POSITIVE_INFINITY);
    const access = parts.access(() => session);
    const session: Session = new Session({ who, connect, access, csrf: again?.csrf ?? this.#secret(), expiresAt });
    const secret = again?.secret ?? this.#secret();
    const at = this.#clock.monotonic();
    this.#kept.set(hashOf(secret), { session, until: at + (expiresAt - now), usedAt: at });
    this.#makeRoom();
    this.#sweep ??= this.#clock.after(sweepMs, () => this.#sweepAll());
    return { secret, session };
  }

  /** Whose secret it is. Counts as use. */
  find(secret: string | undefined): Session | undefined {
    if (secret === undefined) return undefined;
    const hash = hashOf(secret);
    const kept = this.#kept.get(hash);
    if (!kept) return undefined;
    if (this.#isOver(kept)) {
      this.#finish(hash, kept);
      return undefined;
    }
    kept.usedAt = this.#clock.monotonic();
    this.#kept.delete(hash);
    this.#kept.set(hash, kept);
    return kept.session;
  }

  /** Whether this session had its time here, or was ended: it must not begin again, whatever else vouches for it. */
  isOver(secret: string): boolean {
    return this.#over.has(hashOf(secret));
  }

  end(session: Session): void {
    for (const [hash, kept] of this.#kept) if (kept.session === session) this.#finish(hash, kept);
    session.end();
  }

  close(): void {
    this.#sweep?.();
    this.#sweep = undefined;
    for (const [hash, kept] of this.#kept) this.#end(hash, kept);
  }

  #isOver({ session, until, usedAt }: Kept): boolean {
    const now = this.#clock.monotonic();
    return session.ended.aborted || now >= until || (session.open === 0 && now - usedAt >= idleMs);
  }

  #finish(hash: string, kept: Kept): void {
    this.#end(hash, kept);
    this.#over.add(hash);
    for (const oldest of this.#over) {
      if (this.#over.size <= mostOver) break;
      this.#over.delete(oldest);
    }
  }

  #end(hash: string, { session }: Kept): void {
    this.#kept.delete(hash);
    session.end();
  }

  #makeRoom(): void {
    for (const [hash, kept] of this.#kept) {
      if (this.#kept.size <= this.#limit) return;
      this.#end(hash, kept);
    }
  }

  #sweepAll(): void {
    for (const [hash, kept] of this.#kept) {
      if (kept.session.open > 0) kept.usedAt = this.#clock.monotonic();
      if (this.#isOver(kept)) this.#finish(hash, kept);
    }
    this.#sweep = this.#kept.size > 0 ? this.#clock.after(sweepMs, () => this.#sweepAll()) : undefined;
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
