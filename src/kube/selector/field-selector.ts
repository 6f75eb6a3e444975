import { KubeError } from '../error.ts';

/** One condition on a field. A field that is not there counts as empty. */
export interface FieldRequirement {
  readonly field: string;
  readonly value: string;
  /** `!=` instead of `=`. */
  readonly not: boolean;
}

/**
 * Reads a field selector: `metadata.name=a,status.phase!=Running`. In values `\,`, `\=` and `\\` stand for the
 * characters themselves.
 *
 * Errors: a `KubeError` of kind `refused`, in the API server's own words.
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  const requirements: FieldRequirement[] = [];
  for (const term of text.match(/(?:\\.|[^\\,]|\\$)+/gs) ?? []) {
    const parts = /^((?:\\.|[^\\=!]|!(?!=))*)(!=|==|=)(.*)$/s.exec(term);
    if (!parts) throw new KubeError('refused', `invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = '', operator, value = ''] = parts;
    requirements.push({ field, value: unescaped(value), not: operator === '!=' });
  }
  return requirements;
}

/** Whether an object with these fields is selected. */
export function matchesFields(
  selector: readonly FieldRequirement[],
  fields: Readonly<Record<string, string | undefined>>,
): boolean {
  return selector.every(({ field, value, not }) => {
    const actual = (Object.hasOwn(fields, field) ? fields[field] : undefined) ?? '';
    return (actual === value) !== not;
  });
}

/** A field selector that asks for equality: `formatFieldSelector({ 'metadata.name': 'a' })`. */
export function formatFieldSelector(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
}

function unescaped(value: string): string {
  const wrong = /^(?:\\[\\,=]|[^\\,=])*/s.exec(value)?.[0].length ?? 0;
  if (wrong === value.length) return value.replace(/\\([\\,=])/g, '$1');
  const [found = '', next = ''] = value.slice(wrong);
  const problem =
    found === '\\'
      ? `invalid escape sequence: ${found}${next}`
      : `unescaped character in value: ${found.charCodeAt(0)}`;
  throw new KubeError('refused', `invalid field selector: ${problem}`);
}
