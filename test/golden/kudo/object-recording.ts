import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { Place } from '../../../src/kudo/render/place.ts';
import type { OperatorVersionSpec, Task } from '../../../src/kudo/resources/operator-version.ts';

/** One object as KUDO 0.19.0 applied it. */
export interface RecordedObject {
  /** When it was applied first like that. */
  readonly step: string;
  readonly instance: string;
  /** The name of the OperatorVersion. */
  readonly version: string;
  /** Of the Instance, after the step. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly pipes?: Readonly<Record<string, string>>;
  /** What KUDO sent. */
  readonly applied: AnyObject;
  /** What Kubernetes had after it; only of workloads. */
  readonly live?: AnyObject;
  /** All ConfigMaps and Secrets at that time; only for workloads. */
  readonly dependencies?: readonly AnyObject[];
}

export interface Recording {
  readonly package: string;
  readonly namespace: string;
  readonly versions: Readonly<Record<string, OperatorVersionSpec>>;
  readonly recorded: readonly RecordedObject[];
}

const folder = join(import.meta.dirname, 'objects');

export function recordings(): readonly Recording[] {
  return readdirSync(folder)
    .sort()
    .map((file) => ({
      package: file.replace('.json', ''),
      ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<Recording, 'package'>),
    }));
}

/** Where in which plan an object was made, by what KUDO wrote on it. */
export function placeOf({ namespace, versions }: Recording, recorded: RecordedObject): Place {
  const told = recorded.applied.metadata.annotations ?? {};
  const { instance, version, parameters, pipes = {} } = recorded;
  return {
    instance: { name: instance, namespace, uid: `<uid-of Instance/${instance}>` },
    operatorVersion: {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'OperatorVersion',
      metadata: { name: version, namespace },
      spec: versions[version] ?? {},
    },
    parameters,
    plan: told['kudo.dev/plan'] ?? '',
    phase: told['kudo.dev/phase'] ?? '',
    step: told['kudo.dev/step'] ?? '',
    pipes,
  };
}

/** The tasks that may have made an object there. */
export function tasksAt({ operatorVersion: { spec }, plan, phase, step }: Place): readonly Task[] {
  const names = spec.plans?.[plan]?.phases
    ?.find(({ name }) => name === phase)
    ?.steps?.find(({ name }) => name === step);
  return (names?.tasks ?? []).flatMap((name) => spec.tasks?.filter((task) => task.name === name) ?? []);
}
