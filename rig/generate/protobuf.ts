import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../src/embedded/generated/resources.ts';
import type { GeneratedFiles } from './openapi.ts';

interface Field {
  readonly number: number;
  readonly name: string;
  /** `string`, `core.v1.Container`; `[]` before it for repeated, `{}` for a map with string keys. */
  readonly type: string;
}

interface GoField {
  readonly json: string;
  readonly inline: boolean;
  /** Go can tell "zero" from "not set" here, or writes zero out: a pointer, or no `omitempty`. */
  readonly keepsZero: boolean;
}

const heading = '// Generated from the Kubernetes Go modules by `npm run rig -- generate`. Do not edit.\n';

/** Messages that are JSON scalars or free-form JSON; the decoder knows them by name. */
const special = new Set([
  'meta.v1.Time',
  'meta.v1.MicroTime',
  'meta.v1.Duration',
  'meta.v1.FieldsV1',
  'resource.Quantity',
  'intstr.IntOrString',
  'runtime.RawExtension',
]);

/**
 * Makes the tables by which the embedded server reads protobuf bodies: wire types from the `.proto` files, JSON names,
 * inlining and the meaning of zero from the tags of the Go types, which the `.proto` files do not tell.
 *
 * `api` and `apimachinery` are the directories of those Go modules.
 */
export function generateProtobuf(modules: { readonly api: string; readonly apimachinery: string }): GeneratedFiles {
  const messages = new Map<string, string>();
  const roots: string[] = ["  '*/DeleteOptions': 'meta.v1.DeleteOptions',"];

  const packages = new Map<string, ReturnType<typeof readPackage>>();
  const packageOf = (message: string) => {
    const name = message.slice(0, message.lastIndexOf('.'));
    const known = packages.get(name) ?? readPackage(directoryOf(name, modules));
    packages.set(name, known);
    return known;
  };

  const add = (message: string): void => {
    if (messages.has(message) || special.has(message)) return;
    const { proto, go, slices } = packageOf(message);
    const short = message.slice(message.lastIndexOf('.') + 1);
    const fields = proto.get(short);
    if (!fields) throw new Error(`no message ${message}`);
    messages.set(message, '');
    if (slices.has(short)) {
      messages.set(message, `1 items ${fields[0]?.type} []`);
      return;
    }
    const lines = fields.map((field) => {
      const tag = go.get(short)?.get(field.number);
      if (!tag) throw new Error(`no Go field for ${message} field ${field.number}`);
      const flag = tag.inline ? ' >' : tag.keepsZero ? ' *' : '';
      return `${field.number} ${tag.inline ? field.name : tag.json} ${field.type}${flag}`;
    });
    messages.set(message, lines.join('; '));
    for (const { type } of fields) {
      const element = type.replace(/^(\[\]|\{\})/, '');
      if (element.includes('.')) add(element);
    }
  };

  add('meta.v1.DeleteOptions');
  for (const [gvk, message] of rootsOf()) {
    add(message);
    roots.push(`  '${gvk}': '${message}',`);
  }
  const tables = [...messages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => `  '${name}': '${text}',`);
  const kinds = `export const kinds: Readonly<Record<string, string>> = {\n${roots.join('\n')}\n};\n`;
  const types = `export const messages: Readonly<Record<string, string>> = {\n${tables.join('\n')}\n};\n`;
  return new Map([['protobuf.ts', `${heading}\n${kinds}\n${types}`]]);
}

/** `apps/v1/Deployment` with `apps.v1.Deployment`, for every kind that a client may send. */
function* rootsOf(): Iterable<readonly [string, string]> {
  const seen = new Set<string>();
  for (const resource of resources) {
    for (const { group, version, kind } of [resource, ...resource.subresources]) {
      const gvk = `${group}/${version}/${kind}`;
      // Custom resource definitions have JSON of their own making inside; `…Options` are query parameters.
      if (seen.has(gvk) || group.startsWith('apiextensions') || kind.endsWith('Options')) continue;
      seen.add(gvk);
      yield [gvk, `${group === '' ? 'core' : group.split('.')[0]}.${version}.${kind}`];
    }
  }
}

function directoryOf(name: string, { api, apimachinery }: { readonly api: string; readonly apimachinery: string }) {
  const folders: Readonly<Record<string, string>> = {
    'meta.v1': join(apimachinery, 'pkg/apis/meta/v1'),
    runtime: join(apimachinery, 'pkg/runtime'),
    resource: join(apimachinery, 'pkg/api/resource'),
    intstr: join(apimachinery, 'pkg/util/intstr'),
  };
  return folders[name] ?? join(api, name.replace('.', '/'));
}

function readPackage(directory: string) {
  const sources = readdirSync(directory).filter(
    (name) => name.endsWith('.go') && !/_test\.go$|^generated|^zz_/.test(name),
  );
  const { structs, slices } = parseGo(sources.map((name) => readFileSync(join(directory, name), 'utf8')).join('\n'));
  return { proto: parseProto(readFileSync(join(directory, 'generated.proto'), 'utf8')), go: structs, slices };
}

/** Reads what `go-to-protobuf` writes: flat messages of one field per line, no nesting, no oneof, no enum. */
export function parseProto(text: string): Map<string, Field[]> {
  const own = shortPackage(/^package (.+);$/m.exec(text)?.[1] ?? '');
  const messages = new Map<string, Field[]>();
  let current: Field[] = [];
  for (const line of text.split('\n')) {
    const message = /^message (\w+) \{/.exec(line);
    if (message?.[1]) {
      current = [];
      messages.set(message[1], current);
    }
    const field = /^ {2}(?:(optional|repeated|required) ([\w.]+)|map<string, ([\w.]+)>) (\w+) = (\d+);/.exec(line);
    if (!field) continue;
    const [, label, type, mapped, name = '', number] = field;
    const prefix = mapped ? '{}' : label === 'repeated' ? '[]' : '';
    current.push({ number: Number(number), name, type: prefix + typeName(mapped ?? type ?? '', own) });
  }
  return messages;
}

const scalars = new Set(['string', 'bytes', 'bool', 'int32', 'int64', 'double']);

function typeName(type: string, own: string): string {
  if (scalars.has(type)) return type;
  const at = type.lastIndexOf('.');
  return at < 0 ? `${own}.${type}` : `${shortPackage(type.slice(1, at))}.${type.slice(at + 1)}`;
}

/** `k8s.io.api.core.v1` → `core.v1`; `k8s.io.apimachinery.pkg.apis.meta.v1` → `meta.v1`; `….pkg.runtime` → `runtime`. */
function shortPackage(name: string): string {
  return name.replace(/^\.?(k8s\.io\.)?(8s\.io\.)?(api\.|apimachinery\.pkg\.(apis\.|api\.|util\.)?)/, '');
}

/** Reads the `json` and `protobuf` tags of Go structs, by type and field number, and which types are mere slices. */
export function parseGo(text: string): {
  readonly structs: Map<string, Map<number, GoField>>;
  readonly slices: Set<string>;
} {
  const structs = new Map<string, Map<number, GoField>>();
  const slices = new Set<string>();
  let current: Map<number, GoField> | undefined;
  for (const line of text.split('\n')) {
    const slice = /^type (\w+) \[\]/.exec(line);
    if (slice?.[1]) slices.add(slice[1]);
    const struct = /^type (\w+) struct \{/.exec(line);
    if (struct?.[1]) {
      current = new Map();
      structs.set(struct[1], current);
    }
    if (line === '}') current = undefined;
    const field = /^\s+(?:\w+\s+)?(\*?)[\w.[\]*]+\s+`.*json:"([^"]*)".*protobuf:"\w+,(\d+),/.exec(line);
    if (!current || !field) continue;
    const [, pointer, json = '', number] = field;
    const [name = '', ...options] = json.split(',');
    current.set(Number(number), {
      json: name,
      inline: name === '',
      keepsZero: pointer === '*' || !options.some((option) => option === 'omitempty' || option === 'omitzero'),
    });
  }
  return { structs, slices };
}
