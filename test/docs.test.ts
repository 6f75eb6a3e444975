import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { outcomes } from '../src/cli/steer/follow.ts';
import { exitCodeOf } from '../src/cli/steer/plan/exit-code.ts';
import { words } from '../src/cli/steer/words.ts';
import { cloudFoundryFamily } from '../src/cloudfoundry/family.ts';
import { defaultSettings } from '../src/cloudfoundry/settings.ts';
import { blueGreenOptions, idleBlueGreenOptions } from '../src/flink/config/blue-green-options.ts';
import { defaultOperatorConfig } from '../src/flink/config/default-operator-config.ts';
import type { AnyOption, Option } from '../src/flink/config/option.ts';
import type { Place } from '../src/flink/decide/bluegreen/blue-green-case.ts';
import { table } from '../src/flink/decide/bluegreen/table.ts';
import { flinkFamily } from '../src/flink/family.ts';
import { blueGreenPhases } from '../src/flink/resources/blue-green-transition.ts';
import type { FlinkBlueGreenDeployment } from '../src/flink/resources/flink-blue-green-deployment.ts';
import { validateBlueGreen } from '../src/flink/validate/blue-green.ts';
import { kudoFamily } from '../src/kudo/family.ts';
import { risks } from '../src/portrait/plan.ts';
import { verbNames } from '../src/portrait/verb.ts';
import { eventClassNames } from '../src/server/notify/event-class.ts';
import { parseNotifyConfig } from '../src/server/notify/notify-config.ts';
import { root, text } from './docs/pages.ts';

describe('the guide to blue/green deployments', () => {
  const guide = text('docs/flink/bluegreen.md');

  it('begins with an example that is accepted as it is', () => {
    const [, example = ''] = /^```yaml\n(.*?)^```/ms.exec(guide) ?? [];
    const resource = parse(example) as FlinkBlueGreenDeployment;
    expect(validateBlueGreen(resource, { operator: defaultOperatorConfig() })).toEqual([]);
    expect(resource.spec.template?.spec?.job).toBeDefined();
  });

  it('names rows of the table under the states that they are of', () => {
    const anchors: Readonly<Record<Place, string>> = {
      initializing: 'initializing_blue',
      active: 'active_x',
      savepointing: 'savepointing_x',
      transitioning: 'transitioning_to_y',
    };
    const known = new Set(table.map((row) => `${row.id} ${anchors[row.in]}`));
    const named = [...guide.matchAll(/\[`([\w-]+)`\]\(generated\/bluegreen-table\.md#(\w+)\)/g)];
    expect(named.length).toBeGreaterThan(30);
    expect(named.map(([, id, anchor]) => `${id} ${anchor}`).filter((row) => !known.has(row))).toEqual([]);
  });

  it('tells every setting with its default', () => {
    const options: readonly AnyOption[] = [...Object.values(blueGreenOptions), ...Object.values(idleBlueGreenOptions)];
    const rows = options.map((option) => {
      const { key, kind, otherwise } = option as Option<unknown>;
      return `| \`${key.replace('kubernetes.operator.bluegreen.', '')}\` | ${kind.show(otherwise)} |`;
    });
    expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
  });

  it('tells every reason of a condition or an event that is used', () => {
    const phases = blueGreenPhases.map((phase) => `${phase.charAt(0).toUpperCase()}${phase.slice(1)}`);
    const used = new Set([...phases, ...reasonsIn(sourceOf('src/flink/decide/bluegreen'))]);
    expect(used.size).toBeGreaterThan(30);
    expect([...used].filter((reason) => !guide.includes(`\`${reason}\``)).sort()).toEqual([]);
  });

  it('explains no reason that is not used', () => {
    const source = sourceOf('src/flink/decide/bluegreen');
    const [, troubles = ''] = /## What to do when\n(.*?)\n## /s.exec(guide) ?? [];
    const explained = [...troubles.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, reason = '']) => reason),
    );
    const phases: readonly string[] = blueGreenPhases;
    expect(explained.length).toBeGreaterThan(20);
    expect(
      explained.filter((reason) => !source.includes(`'${reason}'`) && !phases.includes(reason.toLowerCase())),
    ).toEqual([]);
  });
});

describe('the pages about Cloud Foundry', () => {
  it('tell every setting', () => {
    const { version: _version, taskTtlMs: _ttl, ...settings } = defaultSettings;
    const names = Object.entries({ ...settings, taskTtlHours: 0, ingressClass: '' }).flatMap(([name, value]) =>
      typeof value === 'object' && !Array.isArray(value)
        ? Object.keys(value).map((inner) => `${name}.${inner}`)
        : [name],
    );
    const guide = text('docs/cloudfoundry/README.md');
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the page about seeing and steering', () => {
  const guide = text('docs/steer/README.md');
  const section = (title: string): string =>
    new RegExp(`^#+ ${title}\\n(.*?)(?=^#|$(?![^]))`, 'ms').exec(guide)?.[1] ?? '';
  const rowsOf = (markdown: string): string[][] =>
    [...markdown.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()));

  it('names every command', () => {
    expect(Object.keys(words).filter((word) => !new RegExp(`\\b${word}\\b`).test(guide))).toEqual([]);
  });

  it('tells every exit code', () => {
    const codesIn = (title: string): number[] =>
      rowsOf(section(title))
        .map(([code]) => Number(code))
        .filter((code) => !Number.isNaN(code))
        .sort();
    expect(codesIn('Waiting in CI')).toEqual(Object.values(outcomes).sort());
    const plans = risks.map((risk) => exitCodeOf([{ risk, problems: [] }]));
    expect(codesIn('Planning')).toEqual([1, ...plans].sort());
  });

  it('says of every verb which kinds have it', () => {
    const kinds = ['FlinkBlueGreenDeployment', 'FlinkDeployment', 'CFApp', 'Instance'];
    const workloads = [flinkFamily(defaultOperatorConfig), cloudFoundryFamily, kudoFamily].flatMap(
      (one) => one.workloads,
    );
    const rows = rowsOf(section('Doing'));
    const said = verbNames.map((verb) => {
      const cells = rows.filter(([name = '']) => name.includes(`\`${verb}\``)).map(([, ...cells]) => cells);
      return [verb, kinds.filter((_, column) => cells.some((row) => (row[column] ?? '–') !== '–'))];
    });
    const had = verbNames.map((verb) => {
      const having = workloads.filter(({ verbs }) => verbs.some(({ name }) => name === verb));
      return [verb, kinds.filter((kind) => having.some(({ type }) => type.kind === kind))];
    });
    expect(said).toEqual(had);
  });

  it('shows a file of notifications that is accepted as it is, and every event', () => {
    const told = section('Being told');
    const [, example = ''] = /^```yaml\n(.*?)^```/ms.exec(told) ?? [];
    expect(parseNotifyConfig(example)).toHaveLength(1);
    expect(eventClassNames.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
  });

  it('tells every option of the dashboard', () => {
    const options = [...text('docs/steer/generated/commands.md').matchAll(/^\| `(--dashboard[\w-]+)/gm)];
    expect(options.length).toBeGreaterThan(4);
    expect(options.map(([, name = '']) => name).filter((name) => !guide.includes(`| \`${name}`))).toEqual([]);
  });
});

describe('pages that tick off sentences', () => {
  it.each([
    ['docs/cloudfoundry/seed-002.md', 'src/cloudfoundry'],
    ['docs/cloudfoundry/complaints.md', 'test/cloudfoundry'],
    ['docs/kudo/seed-004.md', 'src/kudo'],
  ])('name in %s files and tests that exist', (page, folder) => {
    const rows = text(page)
      .split('\n')
      .filter((line) => line.startsWith('| '));
    const files = rows.flatMap((row) => [...row.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, file = '']) => file));
    const found = files.map((file) => (/^(src|test)\//.test(file) ? file : `${folder}/${file}`));
    expect(found.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const tests = [...new Set(found)].map(text).join('\n');
    const named = rows.flatMap((row) => [...row.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, name = '']) => name));
    expect(named.length).toBeGreaterThan(10);
    // `…` stands for what a table of cases puts there.
    expect(named.filter((name) => !name.split(' … ').every((part) => tests.includes(part)))).toEqual([]);
  });
});

function sourceOf(folder: string): string {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => text(`${folder}/${file}`))
    .join('\n');
}

/** Words that are written where a reason is. */
function reasonsIn(source: string): readonly string[] {
  const conditions = [...source.matchAll(/\breason: ([^,}\n]+)/g)].flatMap(([, value = '']) => quoted(value));
  const events = [...source.matchAll(/\b(?:told|warned)\(\s*[\w.]+,([^,]+),/g)].flatMap(([, value = '']) =>
    quoted(value),
  );
  return [...conditions, ...events];
}

function quoted(value: string): readonly string[] {
  return [...value.matchAll(/'([A-Z]\w+)'/g)].map(([, word = '']) => word);
}
