import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { Caches } from '../control/caches.ts';
import type { Log } from '../control/log.ts';
import type { OperatorOptions } from '../control/operator.ts';
import type { Hook } from '../control/webhooks/admission.ts';
import type { Client } from '../kube/client.ts';
import type { Family, Surroundings } from '../portrait/family.ts';

/** A family that runs. */
export interface Running {
  /** What it offers to command line, server and admission. */
  family(): Promise<Family>;
  readonly controllers: OperatorOptions['controllers'];
  /** The only namespaces that it looks at; absent or empty: all. */
  readonly namespaces?: readonly string[];
  /** The admission hooks that every replica serves: they look at others in the caches of the operator, once it has some. */
  readonly hooks: (surroundings: Surroundings) => Promise<Readonly<Record<string, Hook>>>;
  onCaches?(caches: Caches): void;
  /** After `onCaches`. */
  serve?(): Promise<void>;
  close(): Promise<void>;
}

/** What every family is given. */
export interface Common {
  readonly client: Client;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}
