import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/kube/object.ts';
import { rendered, the } from './rendered.ts';

interface Rules {
  readonly spec: {
    readonly groups: readonly {
      readonly rules: readonly {
        readonly alert: string;
        readonly expr: string;
        readonly labels: Readonly<Record<string, string>>;
        readonly annotations: Readonly<Record<string, string>>;
      }[];
    }[];
  };
}

function rulesOf(more: JsonObject = {}, namespace = 'elsewhere'): Rules['spec']['groups'][number]['rules'] {
  const values = { metrics: { prometheusRule: { enabled: true, ...more } } };
  const all = rendered(values, { name: 'second', namespace });
  return the<Rules>(all, 'PrometheusRule').spec.groups.flatMap(({ rules }) => rules);
}

it('alerts of two releases have nothing in common: each looks at its own namespace, and names it', () => {
  const rules = rulesOf();
  expect(rules.length).toBeGreaterThan(20);
  expect(rules.find(({ alert }) => alert === 'CutoverNoLeader')?.expr).toBe(
    'absent(cutover_leader{namespace="elsewhere"} == 1)',
  );
  for (const { labels } of rules) expect(labels.namespace).toBe('elsewhere');
  expect(JSON.stringify(rules)).not.toContain('cutover-system');
});

it('alerts name their runbooks by the address under which they are served, and else by no address', () => {
  const pages = rulesOf({ runbooks: 'https://docs.test/runbooks/{alert}.html?from=alert' });
  const paths = rulesOf();
  for (const [index, { alert, annotations }] of pages.entries()) {
    expect(annotations.runbook_url).toBe(`https://docs.test/runbooks/${alert}.html?from=alert`);
    expect(annotations).not.toHaveProperty('runbook');
    expect(paths[index]?.annotations.runbook).toBe(`docs/operate/runbooks/${alert}.md`);
    expect(paths[index]?.annotations).not.toHaveProperty('runbook_url');
  }
  expect(() => rulesOf({ runbooks: 'https://docs.test/' })).toThrow(/metrics.prometheusRule.runbooks.*\{alert\}/);
});
