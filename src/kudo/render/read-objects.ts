import { canonical } from '../../control/digest.ts';
import type { AnyObject } from '../../kube/object.ts';
import { readYaml, YamlError } from '../parameters/yaml.ts';
import { quote } from '../template/format/quote.ts';
import type { Complaint } from './complaint.ts';
import { type Chunk, documentsOf } from './documents.ts';
import { indentedQuotes } from './indented-quotes.ts';
import { knownFields } from './known-fields.ts';
import { type Fields, isFields } from './replaced-at.ts';
import { withoutNulls } from './without-nulls.ts';

/** No object of Kubernetes is larger; to read what is takes long. */
const largest = 3 << 20;

export interface ReadObjects {
  readonly objects: readonly AnyObject[];
  /** What is tolerated, as KUDO does, though its author hardly meant it. */
  readonly warnings: readonly string[];
}

/** The objects that the text of a template consists of, in its order. */
export function readObjects(template: string, text: string): ReadObjects | { readonly complaint: Complaint } {
  const objects: AnyObject[] = [];
  const warnings: string[] = [];
  for (const chunk of documentsOf(text)) {
    const found = readObject(chunk);
    if ('problem' in found) return { complaint: complaintOf(template, chunk, found) };
    objects.push(found.object);
    warnings.push(...found.warnings.map((warning) => `${template}: ${warning}`));
  }
  return { objects, warnings };
}

interface Problem {
  readonly problem: string;
  /** How it goes on, in words that may be those of the text. */
  readonly quoting?: string;
  /** Within the document. */
  readonly line?: number;
}

interface Found {
  readonly object: AnyObject;
  readonly warnings: readonly string[];
}

function readObject({ text }: Chunk): Found | Problem {
  if (text.length > largest) return { problem: `it is larger than ${largest} characters` };
  try {
    return read(text);
  } catch (error) {
    return readAgain(text) ?? problemOf(error);
  }
}

/** What only the parser here refuses. */
function readAgain(text: string): Found | Problem | undefined {
  const indented = indentedQuotes(text);
  if (indented === text) return undefined;
  try {
    return read(indented);
  } catch {
    return undefined;
  }
}

function read(text: string): Found | Problem {
  const twice = new Set<string>();
  const found = objectOf(readYaml(text, (key) => twice.add(key)));
  if ('problem' in found) return found;
  const { object, warnings } = knownFields(found.object);
  const subject = `${object.kind} ${object.metadata.name}`;
  const repeated = [...twice].map(
    (key) => `${subject}: the key ${quote(key)} stands twice in one map; the last one counts`,
  );
  return { object, warnings: [...repeated, ...warnings] };
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof YamlError)) throw error;
  const [, told = '', line] = /^(.*?)(?: at line (\d+).*)?$/.exec(error.message.split('\n', 1)[0] ?? '') ?? [];
  const problem = 'error converting YAML to JSON: yaml';
  if (line === undefined) return { problem, quoting: `: ${told}` };
  return { problem: `${problem}: line ${line}`, quoting: `: ${told}`, line: Number(line) };
}

function objectOf(value: unknown): { readonly object: AnyObject } | Problem {
  const missing = (what: string): Problem => ({
    problem: `error unmarshaling JSON: while decoding JSON: Object '${what}' is missing`,
    quoting: ` in '${canonical(value)}'`,
  });
  if (!isFields(value)) return missing('Kind');
  const { apiVersion, kind, metadata } = value;
  if (typeof kind !== 'string' || kind === '') return missing('Kind');
  if (typeof apiVersion !== 'string' || apiVersion === '') return missing('apiVersion');
  if (kind === 'List' && apiVersion === 'v1') {
    return { problem: 'it is a List; write its items as documents of their own, with a line of --- between them' };
  }
  if (!isFields(metadata) || typeof metadata.name !== 'string' || metadata.name === '') return missing('metadata.name');
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field] ?? {};
    if (!isFields(map)) return { problem: `the ${field} of ${kind} ${metadata.name} are not a map` };
  }
  const flaw = apiVersion === 'v1' && kind === 'Secret' ? secretFlaw(value) : undefined;
  if (flaw !== undefined) return { problem: `error unmarshaling JSON: while decoding JSON: json: ${flaw}` };
  return { object: withoutNulls(value as unknown as AnyObject) };
}

/** What is no text in a Secret. A server that is sent it says what it found there instead, and answers end up in logs. */
function secretFlaw(secret: Fields): string | undefined {
  for (const field of ['data', 'stringData']) {
    const content = secret[field] ?? {};
    const into = `into Go struct field Secret.${field} of type`;
    if (!isFields(content)) return `cannot unmarshal ${jsonType(content)} ${into} map[string]string`;
    const wrong = Object.entries(content).find(([, value]) => value !== null && typeof value !== 'string');
    if (wrong) return `key ${quote(shortened(wrong[0]))}: cannot unmarshal ${jsonType(wrong[1])} ${into} string`;
  }
  return undefined;
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function complaintOf(
  template: string,
  { text, line: begin }: Chunk,
  { problem, quoting = '', line }: Problem,
): Complaint {
  const hidden = mayHoldSecrets(text) || mayHoldSecrets(quoting);
  const [, kind] = /^kind:[ \t]*["']?(\w{1,80})/m.exec(text) ?? [];
  const chunk = hidden ? `(${kind ?? 'it'} may hold secrets, and is not shown)` : quote(shortened(text));
  return {
    reason: 'TaskRenderingError',
    message: `fatal error: parsing YAML from ${template}: decoding chunk ${chunk} failed: ${problem}${hidden ? '' : shortened(quoting)}`,
    template,
    ...(line !== undefined && { line: begin + line - 1 }),
  };
}

/**
 * Messages end up in status and events, where anybody may read them. A text that cannot be read tells not for sure what it
 * is: it is shown if nothing in it looks like a Secret. Contents of a ConfigMap are no secret.
 */
function mayHoldSecrets(text: string): boolean {
  if (/secret|(?:string|binary)data/i.test(text)) return true;
  const contents = /\bdata\b["']?[ \t]*:|\?[ \t]*["']?data\b/i.test(text);
  return contents && !/^kind:[ \t]*["']?ConfigMap\b/m.test(text);
}

function shortened(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
