import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Client } from '../../kube/client.ts';

/** Which cluster, and where in it. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

/** A cluster that a command talks to. */
export interface OpenedCluster {
  readonly client: Client;
  /** That of `-n`, else that of the context, else `default`. */
  readonly namespace: string;
  readonly server: string;
  close(): Promise<void>;
}

/** Everything that a command may use of the world. */
export interface Shell {
  write(text: string): void;
  writeError(text: string): void;
  /** Whether what is written is looked at by a person, and can be written over. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** The cluster that flags, `KUBECONFIG` and files name. */
  open(flags: ClusterFlags): Promise<OpenedCluster>;
  readonly version: string;
  /** Sets the exit code; the program ends when nothing is left to do. */
  exit(code: number): void;
}
