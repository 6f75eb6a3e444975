import { Document, visit } from 'yaml';
import { harmlessText, isHarmlessText } from './harmless.ts';

/** How a result is printed: for people when absent. */
export type Format = 'json' | 'yaml' | undefined;

/** The value as JSON or YAML. What a terminal might obey is escaped, and means the same to whoever reads it back. */
export function formatted(value: unknown, format: 'json' | 'yaml'): string {
  // A round trip drops what is undefined, as JSON does; YAML would write it as null.
  const json = JSON.stringify(value, undefined, 2) ?? 'null';
  return format === 'json' ? `${harmlessText(json)}\n` : yamlOf(JSON.parse(json));
}

/** Several objects as documents of one stream: what `kubectl apply -f -` takes. */
export function documents(objects: readonly unknown[]): string {
  return objects.map((object) => `---\n${yamlOf(object)}`).join('');
}

/** Kubernetes reads YAML 1.1, in which a bare `on` is a boolean; strings that look so are quoted. */
function yamlOf(value: unknown): string {
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false });
  // Escapes mean something only in double quotes.
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && needsQuotes(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return harmlessText(document.toString({ lineWidth: 0, directives: false }));
}

/** Also where the library would write a block that reads otherwise: blanks alone on a line, or in front of the first word. */
function needsQuotes(text: string): boolean {
  return !isHarmlessText(text) || (text.includes('\n') && (/^\s/.test(text) || /^[ \t]+$/m.test(text)));
}
