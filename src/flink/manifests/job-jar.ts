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
