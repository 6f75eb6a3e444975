import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { promtool } from './promtool.ts';

interface Group {
  readonly name: string;
  readonly rules: readonly { readonly alert: string; readonly expr: string }[];
}

interface Case {
  readonly fires: 'true' | 'false';
  readonly at: string;
  readonly series: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const groups = parse(readFileSync(join(root, 'charts/cutover/files/alerts.yaml'), 'utf8')) as readonly Group[];
// All as text: `0x20` is twenty times nothing for promtool, and a number for YAML.
const written = readFileSync(join(import.meta.dirname, 'cases.yaml'), 'utf8');
const cases = parse(written, { schema: 'failsafe' }) as Record<string, readonly Case[]>;
const directory = mkdtempSync(join(tmpdir(), 'cutover-alerts-'));
let tool = '';

beforeAll(async () => {
  tool = await promtool(directory);
  writeFileSync(join(directory, 'rules.yaml'), stringify({ groups }));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('the alerting rules, as Prometheus reads them', () => {
  it('are well formed', async () => {
    const { stdout } = await run(tool, ['check', 'rules', join(directory, 'rules.yaml')]);
    expect(stdout).toContain('SUCCESS');
  });

  const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  it('have each a case in which it fires and one in which it does not', () => {
    expect(Object.keys(cases).sort()).toEqual([...names].sort());
    const one = Object.values(cases).filter((all) => new Set(all.map(({ fires }) => fires)).size < 2);
    expect(one).toEqual([]);
  });

  it.each(names)('%s fires when it should and only then', async (name) => {
    const alone = groups
      .map((group) => ({ ...group, rules: group.rules.filter(({ alert }) => alert === name) }))
      .filter(({ rules }) => rules.length > 0);
    writeFileSync(join(directory, `${name}.rules.yaml`), stringify({ groups: alone }));
    // promtool compares labels and annotations with those that are expected; asked for none, it tells what there is.
    const mine = (cases[name] ?? []).map((one) => ({ ...one, namespace: 'cutover-system' }));
    // Another release makes no alert of this one fire, and keeps none from firing.
    const others = mine.map((one) => ({ ...one, namespace: 'other', fires: String(name === 'CutoverNoLeader') }));
    const all = [...mine, ...others];
    const verdicts = await Promise.all(
      all.map(async ({ at, series, namespace }, index) => {
        const file = join(directory, `${name}.${index}.yaml`);
        writeFileSync(
          file,
          stringify({
            rule_files: [`${name}.rules.yaml`],
            evaluation_interval: '1m',
            tests: [
              {
                interval: '1m',
                input_series: Object.entries(series).map(([one, values]) => ({
                  series: one.replace('{', `{namespace="${namespace}",`),
                  values,
                })),
                alert_rule_test: [{ eval_time: at, alertname: name, exp_alerts: [] }],
              },
            ],
          }),
        );
        return run(tool, ['test', 'rules', file]).then(
          () => false,
          (error: { readonly stdout?: string; readonly stderr?: string }) => {
            const told = `${error.stdout ?? ''}${error.stderr ?? ''}`;
            if (/got:\[\s*0:/.test(told)) return true;
            throw new Error(told);
          },
        );
      }),
    );
    expect(verdicts).toEqual(all.map(({ fires }) => fires === 'true'));
  });
});
