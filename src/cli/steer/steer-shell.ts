import type { ResourceType } from '../../kube/resource-type.ts';
import type { Family } from '../../portrait/family.ts';
import type { Shell } from '../../portrait/text/shell.ts';
import type { Workload } from '../../portrait/workload.ts';

/** A kind of workload as far as lists need it: known without loading anything. */
export interface KnownKind {
  readonly type: ResourceType;
  /** How people name it beside its own name. */
  readonly words: readonly string[];
  /** People give its objects titles beside their names. */
  readonly titled?: boolean;
  /** Loads what makes a line of an object, and nothing else. */
  summarizer(): Promise<Workload['summarize']>;
}

/** A family that may be needed, and how to load it. */
export interface FamilySource {
  /** `flink` */
  readonly name: string;
  /** The API group of its kinds. */
  readonly group: string;
  readonly kinds: readonly KnownKind[];
  load(): Promise<Family>;
}

/** What the commands that see and steer workloads use of the world, beside what every command does. */
export interface SteerShell extends Shell {
  /** What people type in front of a command: `cutover`, or `kubectl cutover`. */
  readonly program: string;
  readonly families: readonly FamilySource[];
  /** Whether colours were not refused: `NO_COLOR`, `TERM=dumb`. */
  readonly colors: boolean;
  /** Rows of the terminal. */
  readonly rows: number;
  /** Somebody is there who can be asked. */
  readonly canAsk: boolean;
  /** Asks for a line. */
  ask(question: string): Promise<string>;
  /** All of standard input. */
  input(): Promise<string>;
  /** Aborts when the person wants the command to end: Ctrl-C. Asked for only by commands that end by themselves then. */
  stopping(): AbortSignal;
  /** Calls when the terminal has another size; the way to call that off. */
  onResize(listener: () => void): () => void;
}
