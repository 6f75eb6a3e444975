/** The cause in a sentence that says why pods of a workload restart: `LEVEL changed app.conf in ConfigMap x`. */
export function restartCause(sentence: string, workload: string): string {
  const all = `pods of ${workload} restart because `;
  return sentence.startsWith(all) ? sentence.slice(all.length) : sentence;
}
