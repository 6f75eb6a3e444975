/** Why no connection could be made from a kubeconfig or a pod's files: one line that names file, context and field. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

/** The first line of whatever went wrong. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n', 1)[0]?.replace(/:$/, '') ?? '';
}
