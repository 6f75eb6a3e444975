import { parse, stringify } from 'yaml';

interface Manifest {
  readonly apiVersion: string;
  readonly metadata: object;
  readonly spec: object;
}

/**
 * The three edits of seed 001's quick start, on the manifest of a FlinkDeployment: another kind, the settings of the
 * transitions, and the spec wrapped in a template. Then what a person adds: the Ingress that follows the serving side,
 * and the savepoint by which state carries over.
 */
export function migrate(
  manifest: string,
  configuration: Readonly<Record<string, string>>,
  added: { readonly ingress: object; readonly job: object },
): string {
  const { apiVersion, metadata, spec } = parse(manifest) as Manifest;
  const { job } = spec as { readonly job: object };
  const template = { spec: { ...spec, job: { ...job, ...added.job } } };
  const kind = 'FlinkBlueGreenDeployment';
  return stringify({ apiVersion, kind, metadata, spec: { configuration, ingress: added.ingress, template } });
}
