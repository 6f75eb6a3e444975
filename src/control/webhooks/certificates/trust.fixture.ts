import { type CertificatesDecision, decideCertificates, faultOf } from './decide.ts';
import type { Lifetimes } from './lifetimes.ts';
import { stopwatch } from './stopwatch.ts';
import { type Authority, bundleOf, type CertificatesView, type Kept } from './view.ts';

export const day = 24 * 3600 * 1000;
/** Shorter than in life, so that a short run sees many successions. */
const lifetimes: Lifetimes = { authorityMs: 60 * day, leafMs: 15 * day, settleMs: 600_000, graceMs: day };

/** What can be wrong with the way that certificates are kept: each must be noticed by the laws. */
export type Mistake = 'secret read first' | 'no settling' | 'old authority dropped with its key' | 'no versions';

type Kind = 'validating' | 'mutating';
const kinds = ['validating', 'mutating'] as const;

interface Written {
  readonly version: number;
  readonly bundle: string;
  readonly at: number;
}

/** A replica between two requests. Everything but the next step is gone when it crashes. */
interface Replica {
  readonly skewMs: number;
  memory: Memory;
}

interface Memory {
  readonly carried: ReturnType<typeof stopwatch>;
  /** What this round has read so far. */
  configurations?: ReadonlyMap<Kind, Written>;
  secret?: Stored;
  /** What this round has still to write. */
  todo: CertificatesDecision['actions'];
  served?: NonNullable<Kept['leaf']>;
}

interface Stored {
  readonly version: number;
  readonly kept: Kept;
}

/**
 * Replicas that keep certificates, and API servers that read configurations late, one request at a time. Certificates are names
 * and times here; all that is real is what decides.
 */
export class TrustWorld {
  time = Date.UTC(2030, 0, 1);
  secret: Stored = { version: 0, kept: { authorities: [] } };
  readonly history: Record<Kind, Written[]> = { validating: [], mutating: [] };
  readonly replicas: readonly Replica[];
  /** For each API server, how much of each history it has read. */
  readonly servers: readonly Record<Kind, number>[] = [
    { validating: 0, mutating: 0 },
    { validating: 0, mutating: 0 },
  ];
  readonly #mistake: Mistake | undefined;
  #made = 0;
  #versions = 0;

  constructor(skews: readonly number[], mistake?: Mistake) {
    this.replicas = skews.map((skewMs) => ({ skewMs, memory: freshMemory() }));
    this.#mistake = mistake;
    for (const kind of kinds) this.#write(kind, '');
  }

  /** The next request of a replica. */
  step(index: number): void {
    const replica = this.replicas[index % this.replicas.length] as Replica;
    const { memory } = replica;
    const [action, ...rest] = memory.todo;
    const first = this.#mistake === 'secret read first' ? 'secret' : 'configurations';
    if (!action && !memory[first]) {
      this.#read(first, memory);
      return;
    }
    if (action) memory.todo = this.#act(action, memory) ? rest : [];
    else {
      this.#read(first === 'secret' ? 'configurations' : 'secret', memory);
      this.#decide(replica);
    }
    if (memory.todo.length === 0) {
      delete memory.configurations;
      delete memory.secret;
    }
  }

  #read(what: 'secret' | 'configurations', memory: Memory): void {
    if (what === 'secret') memory.secret = this.secret;
    else memory.configurations = new Map(kinds.map((kind) => [kind, this.history[kind].at(-1) as Written]));
  }

  crash(index: number): void {
    (this.replicas[index % this.replicas.length] as Replica).memory = freshMemory();
  }

  /** An API server hears of the next change. */
  hear(index: number): void {
    const server = this.servers[index % this.servers.length] as Record<Kind, number>;
    for (const kind of kinds) server[kind] = Math.min(server[kind] + 1, this.history[kind].length - 1);
  }

  /** Time goes on; no API server is further behind than half of what is waited for. */
  pass(ms: number): void {
    this.time += ms;
    const known = this.time - lifetimes.settleMs / 2;
    for (const server of this.servers) {
      for (const kind of kinds) {
        const last = this.history[kind].findLastIndex(({ at }) => at <= known);
        server[kind] = Math.max(server[kind], last);
      }
    }
  }

  /** Somebody writes a configuration anew without knowing of certificates. */
  overwrite(kind: Kind): void {
    this.#write(kind, '');
  }

  /** Somebody damages the Secret, or deletes it. */
  damage(kept: Kept): void {
    this.secret = { version: ++this.#versions, kept };
  }

  /** API servers that have been told whom to trust, and do not trust what a replica shows. */
  distrust(): string[] {
    return this.servers.flatMap((server, number) =>
      kinds.flatMap((kind) => {
        const { bundle } = this.history[kind][server[kind]] as Written;
        if (bundle === '') return [];
        return this.replicas.flatMap(({ memory: { served } }, replica) => {
          const valid = served && served.from <= this.time && this.time < served.until;
          const trusted = served?.authority && bundle.split(';').includes(served.authority.pem.replace(';', ''));
          return valid && !trusted ? [`server ${number} (${kind}) distrusts replica ${replica}: ${bundle}`] : [];
        });
      }),
    );
  }

  #decide(replica: Replica): void {
    const { memory, skewMs } = replica;
    const { kept } = memory.secret as Stored;
    const now = this.time + skewMs;
    const configurations = [...(memory.configurations ?? [])];
    const as = JSON.stringify([configurations.map(([, { version }]) => version), bundleOf(kept.authorities)]);
    const view: CertificatesView = {
      now,
      kept,
      carriers: configurations.map(([kind, { bundle }]) => ({ kind, bundles: [bundle] })),
      carriedForMs: memory.carried.read(as, this.time),
    };
    if (kept.leaf && (!memory.served || faultOf(kept, now) === undefined)) memory.served = kept.leaf;
    const impatient = this.#mistake === 'no settling';
    memory.todo = decideCertificates(view, impatient ? { ...lifetimes, settleMs: 0 } : lifetimes).actions;
  }

  /** False when somebody else was faster. */
  #act(action: CertificatesDecision['actions'][number], memory: Memory): boolean {
    const guarded = this.#mistake !== 'no versions';
    if (action.do === 'carry') {
      const seen = memory.configurations?.get(action.kind);
      if (guarded && seen?.version !== this.history[action.kind].at(-1)?.version) return false;
      this.#write(action.kind, action.bundle);
      return true;
    }
    if (guarded && memory.secret?.version !== this.secret.version) return false;
    const { authority: term, leaf: order } = action;
    const made = term && this.#authority(term);
    const before = memory.secret?.kept;
    const dropped = this.#mistake === 'old authority dropped with its key' && order?.by !== undefined;
    const authorities = [...(dropped ? [order.by as Authority] : action.authorities), ...(made ? [made] : [])];
    const by = order?.by ?? made;
    const leaf =
      order && by ? { from: order.from - 3600_000, until: order.until, authority: by, named: true } : before?.leaf;
    const signer = made ?? before?.signer;
    this.secret = {
      version: ++this.#versions,
      kept: { authorities, ...(signer && { signer }), ...(leaf && { leaf }) },
    };
    return true;
  }

  #authority({ from, until }: { readonly from: number; readonly until: number }): Authority {
    return { pem: `A${++this.#made};`, from: from - 3600_000, until };
  }

  #write(kind: Kind, bundle: string): void {
    this.history[kind].push({ version: ++this.#versions, bundle, at: this.time });
  }
}

function freshMemory(): Memory {
  return { carried: stopwatch(), todo: [] };
}
