import { canonical } from '../../control/digest.ts';
import type { AnyObject } from '../../kube/object.ts';
import { readYaml, YamlError } from '../parameters/yaml.ts';
import { quote } from '../template/format/quote.ts';
import type { Complaint } from './complaint.ts';
import { type Chunk, documentsOf } from './documents.ts';
import { indentedQuotes } from './indented-quotes.ts';
import { isFields } from './replaced-at.ts';
import { withoutNulls } from './without-nulls.ts';

/** No object of Kubernetes is larger; to read what is takes long. */
const largest = 3 << 20;

/** The objects that the text of a template consists of, in its order. */
export function readObjects(
  template: string,
  text: string,
): { readonly objects: readonly AnyObject[] } | { readonly complaint: Complaint } {
  const objects: AnyObject[] = [];
  for (const chunk of documentsOf(text)) {
    const found = readObject(chunk);
    if ('problem' in found) return { complaint: complaintOf(template, chunk, found) };
    objects.push(found.object);
  }
  return { objects };
}

interface Problem {
  readonly problem: string;
  /** Within the document. */
  readonly line?: number;
}

function readObject(chunk: Chunk): { readonly object: AnyObject } | Problem {
  if (chunk.text.length > largest) return { problem: `it is larger than ${largest} characters` };
  try {
    return objectOf(readYaml(chunk.text));
  } catch (error) {
    return readAgain(chunk) ?? problemOf(error);
  }
}

/** What only the parser here refuses. */
function readAgain(chunk: Chunk): ReturnType<typeof readObject> | undefined {
  const text = indentedQuotes(chunk.text);
  if (text === chunk.text) return undefined;
  try {
    return objectOf(readYaml(text));
  } catch {
    return undefined;
  }
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof YamlError)) throw error;
  const [, told = '', line] = /^(.*?)(?: at line (\d+).*)?$/.exec(error.message.split('\n', 1)[0] ?? '') ?? [];
  if (line === undefined) return { problem: `error converting YAML to JSON: yaml: ${told}` };
  return { problem: `error converting YAML to JSON: yaml: line ${line}: ${told}`, line: Number(line) };
}

function objectOf(value: unknown): { readonly object: AnyObject } | Problem {
  const missing = (what: string): Problem => ({
    problem: `error unmarshaling JSON: while decoding JSON: Object '${what}' is missing in '${shortened(shown(value))}'`,
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
  return { object: withoutNulls(value as unknown as AnyObject) };
}

function complaintOf(template: string, chunk: Chunk, { problem, line }: Problem): Complaint {
  return {
    reason: 'TaskRenderingError',
    message: `fatal error: parsing YAML from ${template}: decoding chunk ${quote(shortened(harmless(chunk.text)))} failed: ${problem}`,
    template,
    ...(line !== undefined && { line: chunk.line + line - 1 }),
  };
}

/** Messages end up in status and events, where anybody may read them. */
function harmless(text: string): string {
  return /^\s*["']?kind["']?\s*:\s*["']?Secret\b/m.test(text) ? '(a Secret)' : text;
}

function shown(value: unknown): string {
  const isSecret = isFields(value) && (value.kind === 'Secret' || value.stringData !== undefined);
  return isSecret ? '(a Secret)' : canonical(value);
}

function shortened(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
