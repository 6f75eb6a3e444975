import type { Task } from '../resources/operator-version.ts';
import type { Complaint } from './package-error.ts';
import type { Position } from './position.ts';
import type { Plain } from './yaml/node.ts';

/** A package as its author wrote it, decoded. Nothing is checked yet beyond the types of the fields. */
export interface OperatorPackage {
  /** What messages call it. */
  readonly origin: string;
  readonly operator: OperatorFile;
  readonly params: ParamsFile;
  /** By their path under `templates/`, sorted. */
  readonly templates: ReadonlyMap<string, string>;
  /** What was found while it was decoded and does no harm: unknown keys, keys that stand twice. */
  readonly warnings: readonly Complaint[];
}

/** `operator.yaml` */
export interface OperatorFile {
  readonly name: string;
  readonly description?: string;
  readonly operatorVersion: string;
  readonly appVersion?: string;
  readonly kudoVersion?: string;
  readonly kubernetesVersion?: string;
  readonly maintainers?: readonly { readonly name?: string; readonly email?: string }[];
  readonly url?: string;
  readonly tasks: readonly PackageTask[];
  readonly plans: ReadonlyMap<string, PackagePlan>;
  readonly namespaceManifest?: string;
  readonly restartPolicy?: 'always' | 'onDependencyChange';
}

export interface PackageTask {
  readonly at: Position;
  readonly task: Task;
}

export interface PackagePlan {
  readonly at: Position;
  readonly strategy?: string;
  readonly phases: readonly PackagePhase[];
}

export interface PackagePhase {
  readonly at: Position;
  readonly name: string;
  readonly strategy?: string;
  readonly steps: readonly PackageStep[];
}

export interface PackageStep {
  readonly at: Position;
  readonly name: string;
  /** Names of tasks. */
  readonly tasks: readonly string[];
}

/** `params.yaml` */
export interface ParamsFile {
  readonly groups: readonly PackageGroup[];
  readonly parameters: readonly PackageParameter[];
}

export interface PackageGroup {
  readonly at: Position;
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly prio?: number;
}

export interface PackageParameter {
  readonly at: Position;
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  /** When the file does not say: true. */
  readonly required: boolean;
  /** As written, numbers being floats; `null`: there is none. */
  readonly default: Plain;
  readonly trigger?: string;
  /** `string`, `integer`, `number`, `boolean`, `array`, `map`, or anything that somebody wrote. */
  readonly type?: string;
  readonly immutable: boolean;
  readonly enum?: readonly Plain[];
  readonly group?: string;
  readonly advanced?: boolean;
  readonly hint?: string;
  /** Absent: true. */
  readonly forcePodRestart?: boolean;
}
