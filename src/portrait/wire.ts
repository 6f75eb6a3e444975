import type { Portrait } from './portrait.ts';
import type { Summary } from './summary.ts';
import type { VerbName } from './verb.ts';

/**
 * What dashboard and server say to each other, and `cutover get -o json` prints.
 *
 * | request | answer |
 * | --- | --- |
 * | `GET /api/session` | `Session`, or 401 |
 * | `POST /api/login` `{ token }` | `Session`; sets the cookie |
 * | `POST /api/logout` | 204 |
 * | `GET /open?once=CODE` | the one-time link: sets the cookie, leads to `/` |
 * | `GET /api/stream` | server-sent events: `fleet` (`Summary[]`, all that the person may see), then `changed` (`Summary`), `gone` (`{ id }`); with `?watch=ID` also `page` (`Page`) whenever it changes, or `missing` (`{ id }`) |
 * | `GET /api/page?id=ID` | `Page` |
 * | `GET /api/graph?id=ID` | `Graph` |
 * | `POST /api/plan?id=ID` `{ patch }` (a merge patch as YAML or JSON) | `Plan` |
 * | `POST /api/do?id=ID` `{ verb, wish }` with the header `x-cutover-csrf` | `{ said }` |
 * | `GET /api/logs?id=ID&pod=NAME&container=NAME` | text, followed until the person leaves |
 *
 * ID is that of `subjectId`. Errors are `{ error }` with one line for a person.
 */
export interface Page {
  readonly portrait: Portrait;
  /** The newest first. */
  readonly events: readonly EventLine[];
  readonly offers: readonly Offer[];
}

export interface EventLine {
  readonly at: string;
  readonly reason: string;
  readonly note: string;
  readonly warning: boolean;
  /** `Pod/orders-blue-1` */
  readonly about: string;
  readonly count: number;
}

/** Something that could be done now. */
export interface Offer {
  readonly verb: VerbName;
  readonly summary: string;
  /** The same in a terminal. */
  readonly command: string;
  /** Why it cannot be done; absent: it can. */
  readonly whyNot?: string;
  /** What to ask before it is done. */
  readonly stake?: { readonly what: 'availability' | 'state'; readonly question: string };
}

export interface Session {
  readonly user: string;
  /** Nothing can be done by anybody: the server was started so. */
  readonly readOnly: boolean;
  /** To be sent along with everything that writes. */
  readonly csrf: string;
  readonly expiresAt: string;
  readonly version: string;
}

/** What the stream says, by the name of the event. */
export interface StreamEvents {
  readonly fleet: readonly Summary[];
  readonly changed: Summary;
  readonly gone: { readonly id: string };
  readonly page: Page;
  readonly missing: { readonly id: string };
}
