import type { MetricInfo } from '../../src/control/metric-catalogue.ts';

/** Words of PromQL that are no metrics. */
const words = new Set(
  'and or unless on ignoring by without group_left group_right offset bool sum min max avg count absent rate increase histogram_quantile time label_values inf nan'.split(
    ' ',
  ),
);

/** Labels that no metric has by itself: Prometheus gives them to what it scrapes. */
const ofTargets = ['namespace'];

/** What an expression of PromQL asks for: names of metrics with the labels that each is narrowed by. */
export function askedFor(expr: string): readonly { readonly name: string; readonly labels: readonly string[] }[] {
  // What is grouped by, or matched on, are labels; ranges are times.
  const bare = expr.replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, '').replace(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/([A-Za-z_:][\w:]*)\s*(?:\{([^}]*)\})?/g)]
    .filter(([, name = ''], index, all) => !words.has(name.toLowerCase()) && !inside(all, index, bare))
    .map(([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/([A-Za-z_]\w*)\s*[=!]/g)].map(([, label = '']) => label),
    }));
}

/** Units of numbers (`5m`), variables (`$family`) and what stands in quotes are no names. */
function inside(all: readonly RegExpExecArray[], index: number, text: string): boolean {
  const at = all[index]?.index ?? 0;
  const before = text.slice(0, at);
  return /[\d$.]$/.test(before) || (before.match(/"/g) ?? []).length % 2 === 1;
}

/** What an expression groups by. */
export function groupedBy(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
}

/** What is wrong with an expression: metrics that there are not, labels that a metric does not have. */
export function unknownIn(expr: string, catalogue: readonly MetricInfo[]): readonly string[] {
  const asked = askedFor(expr);
  const wrong = asked.flatMap(({ name, labels }) => {
    const found = infoOf(name, catalogue);
    if (!found) return [`no metric ${name}`];
    const known = [...ofTargets, ...found.labels, ...(name.endsWith('_bucket') ? ['le'] : [])];
    return labels.filter((label) => !known.includes(label)).map((label) => `${name} has no label ${label}`);
  });
  const labels = new Set(['le', 'instance', ...asked.flatMap(({ name }) => infoOf(name, catalogue)?.labels ?? [])]);
  return [
    ...wrong,
    ...groupedBy(expr).flatMap((label) => (labels.has(label) ? [] : [`nothing has the label ${label}`])),
  ];
}

/** A histogram is asked for by its three series. */
function infoOf(name: string, catalogue: readonly MetricInfo[]): MetricInfo | undefined {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return (
    catalogue.find((one) => one.name === name && one.type !== 'histogram') ??
    catalogue.find((one) => one.name === base && base !== name && one.type === 'histogram')
  );
}
