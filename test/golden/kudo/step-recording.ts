import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, KubeObject } from '../../../src/kube/object.ts';

/** What KUDO 0.19.0 did with one package, from step to step. */
export interface StepRecording {
  readonly package: string;
  readonly namespace: string;
  readonly steps: readonly RecordedStep[];
}

export interface RecordedStep {
  readonly step: string;
  /** What was done before it without being recorded: another Instance, because the plan of the last one never ended. */
  readonly between?: readonly Sent[];
  /** What was sent. What a command of KUDO's wrote is here as it wrote it. */
  readonly sends: readonly Sent[];
  /** Why it was refused, if it was. */
  readonly denied?: string;
  /** What was other than after the step before, as `step-facts.ts` words it; `null`: it was gone, with all that is said of it. */
  readonly facts: Readonly<Record<string, string | null>>;
  /** Pods by what they belong to: how many, and whether they are of the template of the step before. */
  readonly pods?: Readonly<Record<string, string>>;
  /** Events of the step, each once. */
  readonly events?: readonly string[];
}

export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

export type Sent =
  | { readonly create: KubeObject }
  | { readonly patch: ObjectRef; readonly type: 'merge' | 'json'; readonly body: Json }
  | { readonly delete: ObjectRef }
  | { readonly deletePods: true };

const folder = join(import.meta.dirname, 'steps');

export function stepRecordings(): readonly StepRecording[] {
  return readdirSync(folder)
    .sort()
    .map((file) => ({
      package: file.replace('.json', ''),
      ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<StepRecording, 'package'>),
    }));
}

/** What is known after a step, by what was known before it. */
export function after(before: ReadonlyMap<string, string>, { facts }: RecordedStep): ReadonlyMap<string, string> {
  const known = new Map(before);
  for (const [fact, value] of Object.entries(facts)) {
    if (value !== null) known.set(fact, value);
    else for (const other of [...known.keys()]) if (other === fact || other.startsWith(`${fact} `)) known.delete(other);
  }
  return known;
}
