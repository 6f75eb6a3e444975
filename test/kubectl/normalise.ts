/** What differs between any two runs of the same command, and what stands for it in a transcript. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  // names of pods and replica sets
  [/\b([a-z][a-z0-9-]*?)-[bcdf-hj-np-tv-z0-9]{7,10}-[bcdf-hj-np-tv-z0-9]{5}\b/g, '$1-HASH-RANDOM'],
  [/\b([a-z][a-z0-9-]*?)-(?=[a-z]*\d)[bcdf-hj-np-tv-z0-9]{8,10}\b/g, '$1-HASH'],
  [/(pod-template-hash=)[a-z0-9]+/g, '$1HASH'],
  [/\b\d{1,3}(\.\d{1,3}){3}\b/g, 'IP'],
  [/(resourceVersion: ")\d+(")/g, '$1N$2'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN'],
  [/\b(\d+[smhd]){1,2}\b(?= ago)/g, 'AGE'],
  [/https:\/\/(127\.0\.0\.1|localhost|IP):\d+/g, 'SERVER'],
];

/** Names, times and addresses out; columns whose width they decide, too. */
export function normalise(text: string, namespace: string): string {
  let plain = text.replaceAll(namespace, 'NAMESPACE');
  for (const [pattern, stand] of rules) plain = plain.replace(pattern, stand);
  return plain
    .split('\n')
    .map((line) => line.replace(/[ \t]+$/, ''))
    .map((line) => (/ {2,}/.test(line.trim()) ? line.replace(/(?<=\S) {2,}/g, '   ') : line))
    .map((line) => line.replace(/( {3})(\d+[smhd]|<unknown>|\d+[smhd]\d+[smhd])(?= {3}|$)/g, '$1AGE'))
    .join('\n')
    .trimEnd();
}
