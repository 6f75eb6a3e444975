/**
 * kwok's stages, with pods that become ready only after a while: containers take time to start, and what replaces them one by
 * one waits for that. Otherwise pods are ready as soon as they are scheduled.
 */
export function withPodStart(stages: string, ms: number): string {
  const documents = stages.split(/^---$/m);
  const at = documents.findIndex((text) => /^ {2}name: pod-ready$/m.test(text));
  const [before = '', after] = documents[at]?.split(/^ {2}next:$/m) ?? [];
  if (after === undefined) throw new Error('kwok has no stage "pod-ready" with a "next" to delay');
  documents[at] = `${before}  delay:\n    durationMilliseconds: ${ms}\n  next:${after}`;
  return documents.join('---');
}
