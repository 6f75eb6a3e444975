import { type FlinkBlueGreenDeploymentSpec, flinkBlueGreenDeployment } from './flink-blue-green-deployment.ts';
import { flinkBlueGreenDeploymentSpelling, spell, textOf } from './java-spelling.ts';
import { specIn } from './recorded-spec.ts';

export type ReadBlueGreenSpec =
  | { readonly ok: true; readonly spec: FlinkBlueGreenDeploymentSpec }
  /** The text is no recorded spec; `reason` says why, for a person. */
  | { readonly ok: false; readonly reason: string };

/**
 * The text of a FlinkBlueGreenDeployment's spec in `status.lastReconciledSpec`, both ways.
 *
 * The format is that of the Java operator, so that either can take over from the other:
 * `{"spec":{"ingress":…,"template":{"metadata":…,"spec":{…}},"configuration":{…}}}`. What it says of reading and writing a
 * recorded FlinkDeployment (`recorded-spec.ts`) holds here as well.
 */
export const blueGreenSpecCodec = {
  /** Total: any text gives a spec or a reason. Nulls are left out, fields that nobody knows are kept. */
  read(text: string): ReadBlueGreenSpec {
    const found = specIn<FlinkBlueGreenDeploymentSpec>(flinkBlueGreenDeployment, text);
    return found.ok ? { ok: true, spec: found.spec } : found;
  },

  /** The same spec gives the same bytes, whatever the order of its keys. */
  write(spec: FlinkBlueGreenDeploymentSpec): string {
    return `{"spec":${textOf(spell(spec, flinkBlueGreenDeploymentSpelling))}}`;
  },
};
