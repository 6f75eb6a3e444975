import type { AnyObject, KubeObject } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import type { Workload } from './workload.ts';

/** What a family offers to command line, server and admission. */
export interface Family {
  /** `flink` */
  readonly name: string;
  readonly kinds: readonly FamilyKind[];
  /**
   * Why an object of one of the kinds cannot be accepted; empty when all is well. Pure and total: it answers for any JSON,
   * the same for the same surroundings, and objects of other kinds have no problem.
   */
  validate(object: KubeObject, surroundings: Surroundings): readonly FamilyProblem[];
  /** The kinds that people think of as something that runs, in the order of listings. */
  readonly workloads: readonly Workload[];
  /** Commands of the family's own, under its name: `cutover flink rules`. */
  readonly commands: readonly FamilyCommand[];
}

export interface FamilyKind {
  readonly type: ResourceType;
  /** The CustomResourceDefinition that a cluster needs. */
  readonly definition: KubeObject;
}

/** What an object is judged beside. */
export interface Surroundings {
  /** Another object. `absent`: there is none; `unknown`: it could not be looked up, and nothing is concluded from it. */
  find(type: ResourceType, namespace: string, name: string): AnyObject | 'absent' | 'unknown';
}

/** Why an object cannot be accepted, for a person. */
export interface FamilyProblem {
  /** `spec.job.parallelism` */
  readonly field: string;
  /** The rule that it breaks: `job-parallelism`. */
  readonly rule: string;
  /** What is wrong, with the value, why, and what to write instead. */
  readonly message: string;
}

export interface FamilyCommand {
  /** `rules` */
  readonly name: string;
  /** One line for the help text, in lower case. */
  readonly summary: string;
  /** What the command prints, line by line. */
  run(): Iterable<string>;
}
