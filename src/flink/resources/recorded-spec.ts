import { isAbsent, isObject, type Members, member } from '../../change/equal.ts';
import { fieldErrorText } from '../../schema/field-error.ts';
import type { Kind } from '../../schema/kind.ts';
import { type FlinkDeploymentSpec, flinkDeployment } from './flink-deployment.ts';
import { type FlinkSessionJobSpec, flinkSessionJob } from './flink-session-job.ts';
import { flinkDeploymentSpelling, flinkSessionJobSpelling, type Spelling, spell, textOf } from './java-spelling.ts';

/** A spec as it is remembered in `status.reconciliationStatus`. */
export interface RecordedSpec<Spec> {
  readonly spec: Spec;
  /** Nothing had been deployed before this spec. */
  readonly firstDeployment: boolean;
}

export type ReadSpec<Spec> =
  | ({ readonly ok: true } & RecordedSpec<Spec>)
  /** The text is no recorded spec; `reason` says why, for a person. */
  | { readonly ok: false; readonly reason: string };

/**
 * The text of a recorded spec, both ways.
 *
 * The format is that of the Java operator, so that either can take over from the other:
 * `{"spec":{…},"resource_metadata":{"apiVersion":"…","firstDeployment":true}}`.
 */
export interface SpecCodec<Spec> {
  /**
   * Total: any text gives a spec or a reason. Nulls are left out. Fields that nobody knows are kept, so that nothing is lost
   * when an older version takes over for a while. Also reads the older format, a bare spec with an `apiVersion` in it.
   */
  read(text: string): ReadSpec<Spec>;
  /** The same spec gives the same bytes, whatever the order of its keys; what is absent is spelled out as in Java. */
  write(recorded: RecordedSpec<Spec>): string;
}

/** Deeper than any spec; what lies below is kept as it is, so that no text exhausts the stack. */
const deepest = 100;

function codec<Spec>(kind: Kind, spelling: Spelling): SpecCodec<Spec> {
  return {
    read(text) {
      const found = specIn<Spec>(kind, text);
      if (!found.ok) return found;
      const metadata = member(found.envelope, 'resource_metadata');
      const firstDeployment = isObject(metadata) && member(metadata, 'firstDeployment') === true;
      return { ok: true, spec: found.spec, firstDeployment };
    },
    write({ spec, firstDeployment }) {
      const metadata = JSON.stringify({ apiVersion: kind.apiVersion, firstDeployment });
      return `{"spec":${textOf(spell(spec, spelling))},"resource_metadata":${metadata}}`;
    },
  };
}

/** The spec in a recorded text, and what it is wrapped in. */
export function specIn<Spec>(
  kind: Kind,
  text: string,
):
  | { readonly ok: true; readonly spec: Spec; readonly envelope: Members }
  | { readonly ok: false; readonly reason: string } {
  const json = parse(text);
  if (!isObject(json)) return { ok: false, reason: 'a recorded spec is a JSON object, and this is not one' };
  const wrapped = Object.hasOwn(json, 'spec');
  const { apiVersion: _, ...bare } = json;
  const spec = withoutNulls(wrapped ? member(json, 'spec') : bare);
  if (!isObject(spec)) return { ok: false, reason: 'its spec is not an object' };
  if (!wrapped && Object.keys(spec).length === 0) return { ok: false, reason: 'it has no spec' };
  const parsed = kind.spec.parse(spec);
  if (!parsed.ok) return { ok: false, reason: parsed.errors.slice(0, 3).map(fieldErrorText).join('; ') };
  return { ok: true, spec: spec as Spec, envelope: json };
}

export const deploymentSpecCodec = codec<FlinkDeploymentSpec>(flinkDeployment, flinkDeploymentSpelling);
export const sessionJobSpecCodec = codec<FlinkSessionJobSpec>(flinkSessionJob, flinkSessionJobSpelling);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > deepest) return value;
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, depth + 1));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, one]) => !isAbsent(one));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutNulls(one, depth + 1)]));
}
