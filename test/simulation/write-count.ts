import type { Change } from '../../src/embedded/world.ts';
import type { Writes } from './subject.ts';

/** Counts how often objects were created, changed and deleted, under names that are the same in every run. */
export class WriteCount {
  readonly writes: Writes = {};

  count(name: string, { before, after }: Change): void {
    const count = { created: 0, changed: 0, deleted: 0, ...this.writes[name] };
    if (!before) count.created += 1;
    else if (!after) count.deleted += 1;
    else count.changed += 1;
    this.writes[name] = count;
  }
}
