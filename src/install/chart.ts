import { parse } from 'yaml';
import type { Json, JsonObject } from '../kube/object.ts';

/** A Helm chart, read: what it is, what may be said to it, and its files. */
export interface Chart {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
  /** `values.yaml`: every value with its default. */
  readonly values: JsonObject;
  /** `values.schema.json`. */
  readonly schema: Json;
  /** `templates/` without the notes, by name of the file in the chart. */
  readonly templates: Readonly<Record<string, string>>;
  /** What templates may read by `.Files`: all that is no template and nothing of the chart itself. */
  readonly files: Readonly<Record<string, string>>;
}

const own = new Set(['Chart.yaml', 'values.yaml', 'values.schema.json', '.helmignore']);

/** Reads a chart from the texts of its files by their names. The files are ours, so what is wrong with them is a defect. */
export function readChart(files: Readonly<Record<string, string>>): Chart {
  const about = parse(files['Chart.yaml'] ?? '') as Readonly<Record<string, string>>;
  const entries = Object.entries(files);
  return {
    name: String(about.name),
    version: String(about.version),
    appVersion: String(about.appVersion),
    values: parse(files['values.yaml'] ?? '') as JsonObject,
    schema: JSON.parse(files['values.schema.json'] ?? 'true') as Json,
    templates: Object.fromEntries(entries.filter(([name]) => /^templates\/.*\.(ya?ml|tpl)$/.test(name))),
    files: Object.fromEntries(entries.filter(([name]) => !name.startsWith('templates/') && !own.has(name))),
  };
}
