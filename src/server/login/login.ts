import { z } from 'zod';
import type { Clock } from '../../clock/clock.ts';
import type { Log } from '../../control/log.ts';
import type { Client } from '../../kube/client.ts';
import type { Identity } from '../../kube/identity.ts';
import { Access } from '../access/access.ts';
import { bodyOf } from '../api/body-of.ts';
import type { Asked } from '../http/asked.ts';
import { isLoopbackAddress, isLoopbackHost } from '../http/loopback.ts';
import { Refusal } from '../http/refusal.ts';
import type { ServerMetrics } from '../server-metrics.ts';
import { FailedLogins } from './failed-logins.ts';
import { OneTimeLink } from './one-time-link.ts';
import type { Session } from './session.ts';
import type { Remembered, SessionSeal } from './session-seal.ts';
import { Sessions } from './sessions.ts';
import { badToken, tokenEnd, type Who, whoAsks, whoHasToken } from './who.ts';

export interface LoginOptions {
  /** The operator's own. */
  readonly client: Client;
  readonly clientFor: (identity: Identity) => Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ServerMetrics;
  /** 256 bits that nobody can guess. */
  readonly secret: () => string;
  /** Who comes by the one-time link; absent: nobody can. */
  readonly once?: Identity;
  /** Lets sessions outlive this process; absent: they end with it. */
  readonly seal?: SessionSeal;
}

export interface LoggedIn {
  /** What the cookie holds: the secret and, where sessions outlive a process, what is sealed behind a dot. */
  readonly cookie: string;
  readonly session: Session;
}

const body = z.object({ token: z.string().max(64 * 1024) });
/** So many strangers are asked about at once. */
const strangersAtOnce = 32;

/** Lets people in: with their own Kubernetes token, or once by the link that was printed on this machine. */
export class Login {
  readonly #options: LoginOptions;
  readonly #sessions: Sessions;
  readonly #failed: FailedLogins;
  readonly #link: OneTimeLink;
  readonly #coming = new Map<string, Promise<Session | undefined>>();
  #strangers = 0;

  constructor(options: LoginOptions) {
    const { clock, secret } = options;
    this.#options = options;
    this.#sessions = new Sessions({ clock, secret });
    this.#failed = new FailedLogins(clock);
    this.#link = new OneTimeLink(clock, secret);
  }

  get sessions(): Sessions {
    return this.#sessions;
  }

  /** A code for the one-time link; the one before it is no good any more. `undefined` when nobody can come by it. */
  issueOnce(): string | undefined {
    return this.#options.once && this.#link.issue();
  }

  /** With a token. @throws Refusal 400, 401, 429, 503 */
  async byToken(asked: Asked): Promise<LoggedIn> {
    const token = (await bodyOf(asked, body)).token.trim();
    const who = await this.#judged(asked, () => this.#whoHas(token));
    const vouch = this.#voucher(token, who);
    const end = tokenEnd(token);
    const begun = this.#begin(
      asked,
      who,
      { authorization: `Bearer ${token}` },
      vouch,
      end !== undefined ? { end } : {},
    );
    const { csrf, expiresAt } = begun.session;
    const sealed = this.#options.seal?.seal(begun.cookie, { token, csrf, expiresAt });
    return sealed === undefined ? begun : { ...begun, cookie: `${begun.cookie}.${sealed}` };
  }

  async #whoHas(token: string): Promise<Who> {
    // What cannot go into a header cannot be a token, and would be refused in words that nobody understands.
    if (!/^[\x21-\x7e]+$/.test(token)) throw badToken();
    if (this.#strangers >= strangersAtOnce) {
      throw new Refusal(503, 'Too many people log in at the same time. Try again in a moment.', { 'retry-after': '2' });
    }
    this.#strangers++;
    return whoHasToken(this.#options.client, token).finally(() => {
      this.#strangers--;
    });
  }

  /**
   * Whose cookie it is. One that was sealed goes on here, if it is not over here already, and the cluster still accepts the
   * token. @throws Refusal 503 when the cluster cannot be asked
   */
  async whose(cookie: string | undefined, asked: Asked): Promise<Session | undefined> {
    const [secret = '', sealed] = (cookie ?? '').split('.', 2);
    const known = this.#sessions.find(secret);
    if (known || sealed === undefined || this.#sessions.isOver(secret)) return known;
    const { seal, clock } = this.#options;
    const remembered = seal?.open(secret, sealed);
    if (!remembered || remembered.expiresAt <= clock.now()) return undefined;
    // A page asks for several things at once: the session begins again once.
    const coming = this.#coming.get(secret) ?? this.#again(secret, remembered, asked);
    this.#coming.set(secret, coming);
    return coming.finally(() => this.#coming.delete(secret));
  }

  async #again(secret: string, { token, csrf, expiresAt }: Remembered, asked: Asked): Promise<Session | undefined> {
    const { client } = this.#options;
    try {
      const who = await whoHasToken(client, token);
      const vouch = this.#voucher(token, who);
      const again = { secret, csrf };
      return this.#begin(asked, who, { authorization: `Bearer ${token}` }, vouch, { end: expiresAt, again }).session;
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return undefined;
      throw error;
    }
  }

  #voucher(token: string, who: Who): () => Promise<void> {
    return async () => {
      const now = await whoHasToken(this.#options.client, token);
      if (now.name !== who.name) throw badToken();
    };
  }

  /** By the one-time link, from this machine only. @throws Refusal 401, 403, 429, 503 */
  async byLink(asked: Asked): Promise<LoggedIn> {
    const { once, clientFor } = this.#options;
    if (!once || !isLoopbackAddress(asked.address) || !isLoopbackHost(asked.header('host'))) {
      throw new Refusal(403, 'There is no one-time link here. Log in with your token.');
    }
    await this.#judged(asked, async () => {
      if (this.#link.use(asked.query.get('once') ?? '')) return;
      throw new Refusal(401, 'This link was used already, or is too old. Start again for a new one.');
    });
    const own = clientFor(once);
    const who = await whoAsks(own).finally(() => own.close().catch(() => undefined));
    return this.#begin(asked, who, once, () => Promise.resolve());
  }

  logout(session: Session): void {
    this.#sessions.end(session);
    this.#options.log.info({ audit: true, user: session.who.name }, 'a person logged out of the dashboard');
  }

  close(): void {
    this.#sessions.close();
  }

  #begin(
    asked: Asked,
    who: Who,
    identity: Identity,
    vouch: () => Promise<void>,
    more: Pick<Parameters<Sessions['begin']>[0], 'end' | 'again'> = {},
  ): LoggedIn {
    const { client, clientFor, clock, log, metrics } = this.#options;
    const { secret, session } = this.#sessions.begin({
      who,
      connect: () => clientFor(identity),
      ...more,
      access: (session) => {
        const orEnd = (error: unknown): never => {
          if (error instanceof Refusal && error.status === 401) this.#sessions.end(session());
          throw error;
        };
        return new Access({ client, clock, who, vouch: () => vouch().catch(orEnd) });
      },
    });
    metrics.loggedIn('ok');
    log.info({ audit: true, user: who.name, address: asked.address }, 'a person logged in to the dashboard');
    return { cookie: secret, session };
  }

  async #judged<T>({ address }: Asked, judge: () => Promise<T>): Promise<T> {
    try {
      return await this.#failed.judged(address, judge);
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        this.#options.metrics.loggedIn('refused');
        this.#options.log.warn({ audit: true, address }, 'somebody was not let in to the dashboard');
      }
      throw error;
    }
  }
}
