import { list, type Node, record, text } from './fields.ts';

/** Labels as `a=b,c=d` in order of their keys; `<none>` without any. */
export function formatLabels(labels: Node): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? '<none>' : pairs.map(([key, value]) => `${key}=${value}`).join(',');
}

/** A label selector in the text form of query parameters, sorted by key. An empty one selects all and is ''. */
export function selectorText(selector: Node): string {
  const terms: [string, string][] = Object.entries(record(selector, 'matchLabels')).map(([key, value]) => [
    key,
    `${key}=${value}`,
  ]);
  for (const expression of list(selector, 'matchExpressions')) {
    const key = text(expression, 'key');
    const values = [...list(expression, 'values')].sort().join(',');
    const operator = text(expression, 'operator');
    if (operator === 'In') terms.push([key, `${key} in (${values})`]);
    else if (operator === 'NotIn') terms.push([key, `${key} notin (${values})`]);
    else if (operator === 'Exists') terms.push([key, key]);
    else if (operator === 'DoesNotExist') terms.push([key, `!${key}`]);
    else return '<invalid>';
  }
  return terms
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, term]) => term)
    .join(',');
}

/** The same for a cell: `<none>` when there is no selector or an empty one. */
export function formatSelector(selector: unknown): string {
  const node = typeof selector === 'object' && selector !== null ? (selector as Node) : {};
  return selectorText(node) || '<none>';
}
