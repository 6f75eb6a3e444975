import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { askedFor, unknownIn } from './metric-names.ts';
import { metricCatalogue } from './metrics-page.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..', '..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const groups = parse(text('charts/cutover/files/alerts.yaml')) as readonly {
  readonly name: string;
  readonly rules: readonly Rule[];
}[];
const rules = groups.flatMap((group) => group.rules);
const catalogue = metricCatalogue();

describe('alerts', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s asks only for what there is', (_, { expr }) => {
    expect(askedFor(expr).length).toBeGreaterThan(0);
    expect(unknownIn(expr, catalogue)).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s is about one release', (_, { expr, labels }) => {
    expect(askedFor(expr).filter((asked) => !asked.labels.includes('namespace'))).toEqual([]);
    const other = [...expr.matchAll(/namespace\s*[=!~]+\s*"([^"]*)"/g)].filter(([, name]) => name !== 'cutover-system');
    expect(other).toEqual([]);
    expect(labels.namespace).toBe('cutover-system');
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s says all that people need', (_, rule) => {
    expect(rule.alert).toMatch(/^Cutover[A-Z][A-Za-z]+$/);
    expect(rule.for).toMatch(/^\d+[mhd]$/);
    expect(['critical', 'warning', 'info']).toContain(rule.labels.severity);
    expect(Object.keys(rule.annotations).sort()).toEqual(['description', 'runbook_url', 'summary']);
    expect(rule.annotations.runbook_url).toBe(`docs/operate/runbooks/${rule.alert}.md`);
    for (const told of Object.values(rule.annotations)) {
      const labels = [...told.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
      expect(labels.filter((label) => !new RegExp(`by \\([^)]*\\b${label}\\b`).test(rule.expr))).toEqual([]);
    }
  });

  it('have one name each', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it('have a page each, and no page is left over', () => {
    const pages = readdirSync(join(root, 'docs/operate/runbooks')).filter((file) => file !== 'README.md');
    expect(pages.sort()).toEqual(rules.map(({ alert }) => `${alert}.md`).sort());
  });

  it('stand in the index with severity and time', () => {
    const index = text('docs/operate/runbooks/README.md');
    const rows = rules.map(
      ({ alert, labels, for: after }) => `| [${alert}](${alert}.md) | ${labels.severity} | ${after} |`,
    );
    expect(rows.filter((row) => !index.includes(row))).toEqual([]);
    expect(index.match(/^\| \[/gm)).toHaveLength(rules.length);
  });
});

describe('a query is seen through', () => {
  it.each([
    ['sum(cutover_nothing)', ['no metric cutover_nothing']],
    ['max by (family) (cutover_workloads{phaze="x"})', ['cutover_workloads has no label phaze']],
    ['sum by (pod) (cutover_leader)', ['nothing has the label pod']],
    ['rate(cutover_queue_latency_seconds[5m])', ['no metric cutover_queue_latency_seconds']],
    ['rate(cutover_queue_latency_seconds_count[5m]) > 1e3', []],
  ])('%s', (expr, wrong) => {
    expect(unknownIn(expr, catalogue)).toEqual(wrong);
  });
});
