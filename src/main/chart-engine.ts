import { posix } from 'node:path';
import { parse, stringify } from 'yaml';
import { type ChartEngine, ChartRefusal, type TemplateWorld } from '../install/engine.ts';
import { Budget } from '../kudo/template/budget.ts';
import { held, type TemplateData } from '../kudo/template/data.ts';
import { FunctionFailure, type FunctionTable, type GoFunction } from '../kudo/template/function.ts';
import { toJson } from '../kudo/template/functions/sprig/json.ts';
import { sprigFunctions } from '../kudo/template/functions/sprig/sprig-functions.ts';
import { hold, open } from '../kudo/template/held.ts';
import { Place } from '../kudo/template/place.ts';
import { Statements } from '../kudo/template/statements.ts';
import { parseTemplate, type Template } from '../kudo/template/template.ts';
import { TemplateError } from '../kudo/template/template-error.ts';
import { GoObject, type GoValue } from '../kudo/template/value.ts';

export interface ChartEngineOptions {
  /** What `randAlphaNum` draws from; the same key gives the same texts. */
  readonly key: Uint8Array;
  /** What `.Release.Service` says: who looks after the objects. */
  readonly service: string;
}

/**
 * Helm's way with the templates of a chart, by the engine that renders packages of KUDO: all files share what they define, and there are
 * the functions that Helm adds to sprig, of which `lookup` finds nothing, as in `helm template`. Stricter than Helm in one thing: a key that
 * is absent is an error.
 */
export function chartEngine({ key, service }: ChartEngineOptions): ChartEngine {
  let running: Runner = () => '';
  const include: Runner = (template, value) => running(template, value);
  const functions = new Map([
    ...sprigFunctions,
    ...helmFunctions(
      include,
      remembering((text) => parse(text) as TemplateData),
    ),
  ]);
  const parsed = remembering((text, name) => parseTemplate({ name, text }, functions));
  return (templates, world) => {
    const names = Object.keys(templates).toSorted();
    const definitions = names.filter((name) => name.endsWith('.tpl')).map((name) => templates[name]);
    const data = dataOf(world, service);
    const render = (name: string): string => {
      // Definitions come behind, so that the lines in messages are those of the file.
      const text = [templates[name], ...definitions].join('\n');
      try {
        running = runnerOf(parsed(text, name), key);
        return running(name, data);
      } catch (error) {
        throw error instanceof TemplateError ? refusalIn(error) : error;
      }
    };
    return Object.fromEntries(names.filter((name) => !name.endsWith('.tpl')).map((name) => [name, render(name)]));
  };
}

/** Runs one of the templates that a file has. */
type Runner = (template: string, data: GoValue) => string;

/** Templates and files are the same in every rendering, and are read once. */
function remembering<T>(read: (text: string, name: string) => T): (text: string, name?: string) => T {
  const known = new Map<string, T>();
  return (text, name = '') => {
    const found = known.has(text) ? (known.get(text) as T) : read(text, name);
    known.set(text, found);
    return found;
  };
}

const DEEPEST = 100;

function runnerOf({ name, text, lists }: Template, key: Uint8Array): Runner {
  const budget = new Budget(name, key, undefined);
  let depth = 0;
  return (template, value) => {
    const list = lists.get(template);
    if (list === undefined) throw new FunctionFailure(`there is no template "${template}"`);
    if (++depth > DEEPEST) throw new FunctionFailure(`"${template}" includes itself without end`);
    const dot = open(hold(value));
    const place = new Place(name, text, list);
    place.executing = template;
    const made = new Statements(lists, place, budget, dot).run(list, dot);
    depth--;
    return made;
  };
}

/** What a chart says by `fail` is meant for people; where in the chart it was said is not. */
function refusalIn(error: TemplateError): Error {
  const said = /error calling (?:fail|required): (.*)$/s.exec(error.message)?.[1];
  return said === undefined ? error : new ChartRefusal(said);
}

/** The functions that Helm has beside sprig's, as far as our chart uses them. */
function helmFunctions(run: Runner, readYaml: (text: string) => TemplateData): FunctionTable {
  const fromYaml = (text: string, empty: TemplateData): GoValue => open(held(readYaml(text) ?? empty)) ?? null;
  const functions: Readonly<Record<string, GoFunction>> = {
    include: { params: ['string', 'interface {}'], call: ([name, data]) => run(name as string, data ?? null) },
    toYaml: { params: ['interface {}'], call: ([value]) => yamlOf(value ?? null) },
    fromYaml: { params: ['string'], call: ([text]) => fromYaml(text as string, {}) },
    fromYamlArray: { params: ['string'], call: ([text]) => fromYaml(text as string, []) },
    base: { params: ['string'], call: ([path]) => posix.basename(path as string) },
    lookup: { params: ['string', 'string', 'string', 'string'], call: () => new Map() },
    required: {
      params: ['string', 'interface {}'],
      call([message, value]) {
        if (value === null || value === undefined || value === '') throw new FunctionFailure(message as string);
        return value;
      },
    },
  };
  return new Map(Object.entries(functions));
}

function yamlOf(value: GoValue): string {
  const json = JSON.parse(toJson(value, { charge: () => {} })) as unknown;
  return stringify(json, {
    lineWidth: 0,
    indentSeq: false,
    sortMapEntries: true,
    aliasDuplicateObjects: false,
  }).trimEnd();
}

function dataOf({ values, release, chart, files }: TemplateWorld, service: string): GoValue {
  const data: TemplateData = {
    Values: values,
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Release: { Name: release.name, Namespace: release.namespace, Service: service, IsInstall: true, IsUpgrade: false },
  };
  const top = open(held(data)) as Map<string, GoValue>;
  top.set('Files', filesOf(files));
  return top;
}

/** `.Files`, of which templates read one by its name or look for some by a pattern whose stars stop at slashes. */
function filesOf(files: Readonly<Record<string, string>>): GoObject {
  const methods: Readonly<Record<string, GoFunction>> = {
    Get: {
      params: ['string'],
      call: ([name]) => (Object.hasOwn(files, name as string) ? (files[name as string] ?? '') : ''),
    },
    Glob: {
      params: ['string'],
      call: ([pattern]) => new Map(Object.entries(files).filter(([name]) => matches(name, pattern as string))),
    },
  };
  return new GoObject({ type: 'engine.files', text: 'files', methods: new Map(Object.entries(methods)) });
}

function matches(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^\w/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`).test(name);
}
