import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import type { JobSpec } from '../resources/job-spec.ts';

/** As Flink takes it: a URI with a scheme and without characters that a URI cannot have. */
const uri = /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]+$/i;

/** The jar of a job as native Flink wants it. */
export function jarUri(written: string): string {
  return written.startsWith('/') ? `local://${written}` : written;
}

/** The jar of a job as it is on the class path of a standalone cluster: a file of the image. */
export function jarPath(written: string): string {
  return jarUri(written).replace(/^local:/i, 'file:');
}

/** Where the jar lies in the image; undefined when it lies elsewhere. */
export function jarInImage(written: string | undefined): string | undefined {
  return /^(?:local|file):(?:\/\/[^/]*)?(\/.*)$/i.exec(jarUri(written ?? ''))?.[1];
}

/** Why a jar cannot be named so. */
export function jarProblem(written: string): string | undefined {
  if (uri.test(jarUri(written))) return undefined;
  return `spec.job.jarURI: ${JSON.stringify(written)} is not a URI; write for example "local:///opt/flink/usrlib/job.jar", with %20 for a space`;
}

/**
 * Why native Flink would not find its job. It wants exactly one jar, of the spec or else of the configuration, and none
 * for Python, which it recognises by the entry class or an argument. It does not look on the class path.
 */
export function missingJar(job: JobSpec, config: FlinkConfig): 'no jar' | 'several jars' | undefined {
  if (job.jarURI?.trim() || isPython(job)) return undefined;
  const { length } = read(config, flinkOptions.pipelineJars).filter((jar) => jar.trim() !== '');
  if (length === 1) return undefined;
  return length === 0 ? 'no jar' : 'several jars';
}

const pythonClasses = ['PythonDriver', 'PythonGatewayServer'].map((name) => `org.apache.flink.client.python.${name}`);
const pythonArguments = ['-py', '-pym', '--python', '--pyModule'];

function isPython({ entryClass, args }: JobSpec): boolean {
  return pythonClasses.includes(entryClass ?? '') || (args ?? []).some((arg) => pythonArguments.includes(arg));
}
