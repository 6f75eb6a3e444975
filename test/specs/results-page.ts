import type { Form } from './form.ts';
import type { Report } from './fuzz-kind.ts';
import { operationClasses } from './operation.ts';
import type { Finding } from './outcome.ts';

/** The page with the results of one family in the place that is marked for them. */
export function resultsPage(page: string, family: string, form: Form, reports: readonly Report[]): string {
  const [begin, end] = [`<!-- results: ${family} -->`, `<!-- end: ${family} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no place for the results of ${family}`);
  return `${page.slice(0, from + begin.length)}\n\n${results(form, reports)}\n${page.slice(to)}`;
}

const columns: readonly { readonly title: string; readonly counts: (finding: Finding) => boolean }[] = [
  { title: 'operations', counts: () => true },
  { title: 'realised', counts: ({ outcome }) => outcome.is === 'realised' },
  { title: 'refused by the schema', counts: ({ outcome }) => outcome.is === 'refused' && outcome.by === 'schema' },
  { title: 'refused at admission', counts: ({ outcome }) => outcome.is === 'refused' && outcome.by === 'admission' },
  { title: 'told in the status', counts: ({ outcome }) => outcome.is === 'told' },
  { title: 'let through, not run', counts: ({ outcome }) => outcome.is === 'admitted' },
  { title: 'none of these', counts: ({ outcome }) => outcome.is === 'stuck' },
];

function results(form: Form, reports: readonly Report[]): string {
  const all = reports.flatMap(({ findings }) => findings);
  const kinds = reports.map(({ kind, properties, untouched, findings }) => [
    kind,
    String(properties.length),
    String(untouched.length),
    ...counted(findings),
  ]);
  const classes = operationClasses.map((name) => [
    name,
    ...counted(all.filter(({ operation }) => operation.class === name)),
  ]);
  const titles = columns.map(({ title }) => title);
  return [
    `${title(form)}:\n`,
    table(['kind', 'properties', 'untouched', ...titles], kinds),
    table(['operation', ...titles], classes),
    ...declared(all),
  ].join('\n');
}

function title({ name }: Form): string {
  return name === 'short' || name === 'long' ? `The ${name} form` : `At least ${name} operations of each kind`;
}

function counted(findings: readonly Finding[]): readonly string[] {
  return columns.map(({ counts }) => String(findings.filter(counts).length));
}

/** What is known not to be as it should, each with the number of operations that show it. */
function declared(findings: readonly Finding[]): readonly string[] {
  const reasons = new Map<string, number>();
  for (const { declared: whys = [], kind } of findings) {
    for (const why of new Set(whys)) reasons.set(`${kind}: ${why}`, (reasons.get(`${kind}: ${why}`) ?? 0) + 1);
  }
  if (reasons.size === 0) return [];
  return ['Declared, and not counted as failures:\n', ...[...reasons].map(([why, count]) => `- ${why} (${count})`), ''];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line), ''].join('\n');
}
