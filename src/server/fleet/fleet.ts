import type { Log } from '../../control/log.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Family } from '../../portrait/family.ts';
import { subjectId } from '../../portrait/subject.ts';
import type { Summary } from '../../portrait/summary.ts';
import type { Workload } from '../../portrait/workload.ts';
import { frame } from '../stream/frame.ts';
import type { Shelf } from './shelf.ts';
import type { Shelves } from './shelves.ts';

/** A workload as it was last seen. */
export interface Entry {
  readonly id: string;
  readonly workload: Workload;
  readonly namespace: string;
  readonly summary: Summary;
  /** The summary, serialised once for everybody. */
  readonly json: string;
  /** As the message that it changed. */
  readonly changed: Uint8Array;
}

export interface FleetChange {
  readonly entry: Entry;
  /** How it was; absent: it is new. */
  readonly before?: Summary;
  readonly gone: boolean;
}

interface Source {
  readonly workload: Workload;
  readonly shelf: Shelf;
  /** Keys whose objects changed since they were last looked at. */
  readonly dirty: Set<string>;
}

/**
 * All workloads in one line each. An object that changes many times at once is looked at once, and a change that does not
 * show in its line is nobody's business.
 */
export class Fleet {
  readonly #sources: readonly Source[];
  readonly #log: Log;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<(change: FleetChange) => void>();
  #scheduled = false;
  #version = 0;

  constructor(options: {
    readonly families: readonly Family[];
    readonly shelves: Pick<Shelves, 'of'>;
    readonly log: Log;
  }) {
    const { families, shelves, log } = options;
    this.#log = log;
    this.#sources = families
      .flatMap((family) => family.workloads)
      .flatMap((workload) => {
        const shelf = shelves.of(workload.type);
        return shelf ? [{ workload, shelf, dirty: new Set<string>() }] : [];
      });
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** To be called for every change of an object of any shelf. */
  touched(shelf: Shelf, key: string): void {
    for (const source of this.#sources) if (source.shelf === shelf) source.dirty.add(key);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#look());
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  objectOf({ workload, summary: { subject } }: Entry): AnyObject | undefined {
    const source = this.#sources.find((one) => one.workload === workload);
    return source?.shelf.get(`${subject.namespace}/${subject.name}`);
  }

  /** Kinds that have not been seen yet, for people; empty when all that there is to see is there. */
  missing(): readonly string[] {
    return this.#sources.filter(({ shelf }) => !shelf.isSettled).map(({ shelf }) => shelf.type.kind);
  }

  /** Returns the way to stop. */
  onChange(listener: (change: FleetChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #look(): void {
    this.#scheduled = false;
    for (const source of this.#sources) {
      const { dirty } = source;
      for (const key of dirty) this.#lookAt(source, key);
      dirty.clear();
    }
  }

  #lookAt({ workload, shelf }: Source, key: string): void {
    const slash = key.indexOf('/');
    const [namespace, name] = [key.slice(0, Math.max(0, slash)), key.slice(slash + 1)];
    const id = subjectId({ kind: workload.type.kind, namespace, name });
    const known = this.#entries.get(id);
    const object = shelf.get(key);
    if (!object) {
      if (!known) return;
      this.#entries.delete(id);
      this.#tell({ entry: known, before: known.summary, gone: true });
      return;
    }
    const summary = this.#summarize(workload, object);
    const json = summary && JSON.stringify(summary);
    if (!summary || !json || json === known?.json) return;
    const entry = { id, workload, namespace, summary, json, changed: frame('changed', json) };
    this.#entries.set(id, entry);
    this.#tell({ entry, ...(known && { before: known.summary }), gone: false });
  }

  #summarize(workload: Workload, object: AnyObject): Summary | undefined {
    try {
      return workload.summarize(object);
    } catch (error) {
      const { namespace, name } = object.metadata;
      this.#log.error({ error, kind: object.kind, namespace, name }, 'a bug: a workload could not be summarised');
      return undefined;
    }
  }

  #tell(change: FleetChange): void {
    this.#version++;
    for (const listener of this.#listeners) listener(change);
  }
}
