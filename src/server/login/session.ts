import { createHash, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import type { Access } from '../access/access.ts';
import { Refusal } from '../http/refusal.ts';
import type { Who } from './who.ts';

export interface SessionParts {
  readonly who: Who;
  /** To be sent along with everything that writes. */
  readonly csrf: string;
  readonly expiresAt: Instant;
  readonly access: Access;
  /** Makes a client that speaks with the person's own credentials: they are nowhere else. */
  readonly connect: () => Client;
}

/** Somebody who is logged in. */
export class Session {
  readonly who: Who;
  readonly csrf: string;
  readonly expiresAt: Instant;
  readonly access: Access;
  /** How many answers to this person have not ended: while there are any, the session is in use. */
  open = 0;
  /** How many logs are asked for or followed. */
  logs = 0;
  readonly #connect: () => Client;
  readonly #ended = new AbortController();
  #client: Client | undefined;

  constructor({ who, csrf, expiresAt, access, connect }: SessionParts) {
    this.who = who;
    this.csrf = csrf;
    this.expiresAt = expiresAt;
    this.access = access;
    this.#connect = connect;
  }

  /** Speaks to Kubernetes as the person. Everything that it does is over when the session is. */
  client(): Client {
    if (this.#ended.signal.aborted) throw new Refusal(401, 'You are not logged in any more.');
    this.#client ??= this.#connect();
    return this.#client;
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  end(): void {
    this.#ended.abort();
    // A connection that cannot be closed is closed already.
    void this.#client?.close().catch(() => undefined);
    this.#client = undefined;
  }

  /** Takes as long for a wrong token as for the right one. @throws Refusal 403 */
  mustHave(csrf: string | undefined): void {
    if (timingSafeEqual(digest(csrf ?? ''), digest(this.csrf))) return;
    throw new Refusal(
      403,
      'The request did not come from the dashboard as you have it open. Reload the page and try again.',
    );
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
