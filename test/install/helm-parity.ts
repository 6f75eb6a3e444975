import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { readChart } from '../../src/install/chart.ts';
import type { Release } from '../../src/install/engine.ts';
import { inInstallOrder } from '../../src/install/install-order.ts';
import { renderChart } from '../../src/install/render-chart.ts';
import type { AnyObject, JsonObject } from '../../src/kube/object.ts';
import { chartEngine } from '../../src/main/chart-engine.ts';
import { chartFiles } from '../../src/main/chart-source.ts';

const run = promisify(execFile);

const chartFolder = join(import.meta.dirname, '../../charts/cutover');

/**
 * Where our rendering of the chart and that of a real Helm part, for these values: one line for each place, none when they give the same
 * objects. Keys that are made up at random are only held to be there.
 *
 * @param helm path of the program
 */
export async function compareWithHelm(helm: string, values: JsonObject, release: Release): Promise<readonly string[]> {
  const theirs = inInstallOrder(await helmTemplate(helm, values, release)).map(comparable);
  const { objects, hooks } = renderChart(readChart(chartFiles()), release, values, testEngine);
  const ours = inInstallOrder([...objects, ...hooks]).map(comparable);
  const names = new Set([...ours, ...theirs].map(nameOf));
  return [...names].flatMap((name) => {
    const [one, other] = [ours, theirs].map((all) => all.filter((object) => nameOf(object) === name));
    if (one?.length !== other?.length) return [`${name}: ours ${one?.length} times, Helm's ${other?.length} times`];
    return differences(one?.[0], other?.[0], name);
  });
}

/** What `helm lint --strict` says against the chart with these values; nothing when all is well. */
export async function lintedByHelm(helm: string, values: JsonObject): Promise<string | undefined> {
  return withFile(values, async (file) => {
    const linted = run(helm, ['lint', '--strict', '--quiet', chartFolder, '--values', file]);
    return linted.then(
      () => undefined,
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}${stderr}`,
    );
  });
}

const testEngine = chartEngine({ key: new Uint8Array(32), service: 'Helm' });

async function helmTemplate(helm: string, values: JsonObject, { name, namespace }: Release): Promise<AnyObject[]> {
  return withFile(values, async (file) => {
    const args = ['template', name, chartFolder, '--namespace', namespace, '--values', file];
    const { stdout } = await run(helm, args, { maxBuffer: 64 << 20 });
    return parseAllDocuments(stdout)
      .map((document) => document.toJS() as AnyObject | null)
      .filter((object) => object !== null);
  });
}

async function withFile<T>(values: JsonObject, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'cutover-chart-'));
  try {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function nameOf({ kind, metadata }: AnyObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

/** What two programs may write in two ways: keys that are made up, and YAML inside of objects, which is read. */
function comparable(object: AnyObject): AnyObject {
  if (object.kind !== 'Secret' && object.kind !== 'ConfigMap') return object;
  const isSecret = object.kind === 'Secret';
  const data = Object.entries((object.data ?? {}) as Readonly<Record<string, string>>).map(([key, text]) => {
    if (object.metadata.name?.endsWith('-dashboard-key')) return [key, 'chance'] as const;
    if (!key.endsWith('.yaml')) return [key, text] as const;
    return [key, parse(isSecret ? Buffer.from(text, 'base64').toString('utf8') : text) as unknown] as const;
  });
  return { ...object, data: Object.fromEntries(data) };
}

function differences(ours: unknown, theirs: unknown, path: string): readonly string[] {
  if (isDeepStrictEqual(ours, theirs)) return [];
  if (!isObject(ours) || !isObject(theirs)) {
    return [`${path}: ours ${JSON.stringify(ours)}, Helm's ${JSON.stringify(theirs)}`];
  }
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...keys].flatMap((key) => differences(ours[key], theirs[key], `${path}.${key}`));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
