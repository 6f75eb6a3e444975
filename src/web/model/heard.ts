import { subjectId } from '../../portrait/subject.ts';
import type { Summary } from '../../portrait/summary.ts';
import type { Page, StreamEvents } from '../../portrait/wire.ts';

/** What the stream has told so far. */
export interface Told {
  /** By id; undefined until the first `fleet`. */
  readonly fleet?: ReadonlyMap<string, Summary>;
  /** The page that is watched. */
  readonly page?: Page;
  /** The id of a watched workload that is not there, or not for this person to see. */
  readonly missing?: string;
}

/** One event of the stream: its name and what it carries. */
export type Heard = {
  readonly [Name in keyof StreamEvents]: { readonly name: Name; readonly data: StreamEvents[Name] };
}[keyof StreamEvents];

/**
 * What is known after some events more. Whatever is not touched keeps its identity, so that only rows that changed are drawn again.
 * `gone` leaves the page as it is: what was last known of it is worth more than an empty screen, and `missing` says the rest.
 */
export function heard(told: Told, events: readonly Heard[]): Told {
  let fleet: Map<string, Summary> | undefined;
  const writable = (): Map<string, Summary> => {
    fleet ??= new Map(told.fleet);
    return fleet;
  };
  let { page, missing } = told;
  for (const event of events) {
    switch (event.name) {
      case 'fleet':
        fleet = new Map(event.data.map((summary) => [subjectId(summary.subject), summary]));
        break;
      case 'changed':
        writable().set(subjectId(event.data.subject), event.data);
        break;
      case 'gone':
        writable().delete(event.data.id);
        break;
      case 'page':
        page = event.data;
        missing = undefined;
        break;
      case 'missing':
        missing = event.data.id;
        break;
    }
  }
  return {
    ...(told.fleet && { fleet: told.fleet }),
    ...(fleet && { fleet }),
    ...(page && { page }),
    ...(missing !== undefined && { missing }),
  };
}
