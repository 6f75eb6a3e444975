import { parseAllDocuments } from 'yaml';
import type { AnyObject, JsonObject } from '../kube/object.ts';
import type { Chart } from './chart.ts';
import { checkValues } from './check-values.ts';
import type { ChartEngine, Release } from './engine.ts';
import { inInstallOrder } from './install-order.ts';
import { mergeValues } from './merge-values.ts';

/** What a chart gives for some values: what belongs to the release, and what is run around it, as Helm's annotations say. */
export interface Rendered {
  readonly objects: readonly AnyObject[];
  readonly hooks: readonly AnyObject[];
}

/** Values that the chart does not take: one line for each mistake. */
export class ValuesProblem extends Error {
  override readonly name = 'ValuesProblem';
}

/**
 * The objects of a release, in the order in which they are created. The same chart, values, release and engine give the same objects.
 *
 * Errors: `ValuesProblem`, and those of the engine.
 */
export function renderChart(chart: Chart, release: Release, over: JsonObject, engine: ChartEngine): Rendered {
  const values = mergeValues(chart.values, over);
  const problems = checkValues(chart.schema, values);
  if (problems.length > 0) throw new ValuesProblem(problems.join('\n'));
  const texts = engine(chart.templates, { values, release, chart, files: chart.files });
  const found = Object.entries(texts).flatMap(([file, text]) => objectsIn(file, text));
  const isHook = ({ metadata }: AnyObject): boolean => metadata.annotations?.['helm.sh/hook'] !== undefined;
  return {
    objects: inInstallOrder(found.filter((object) => !isHook(object))),
    hooks: inInstallOrder(found.filter(isHook)),
  };
}

function objectsIn(file: string, text: string): readonly AnyObject[] {
  return parseAllDocuments(text, { logLevel: 'error' }).flatMap((document) => {
    const [problem] = document.errors ?? [];
    // A value that cannot stand where the chart puts it.
    if (problem) throw new Error(`${file} does not give YAML: ${problem.message}`);
    const object = document.toJS() as AnyObject | null;
    if (object === null) return [];
    if (typeof object.kind !== 'string' || typeof object.metadata?.name !== 'string') {
      throw new Error(`${file} gives something that is no object of Kubernetes`);
    }
    return [object];
  });
}
