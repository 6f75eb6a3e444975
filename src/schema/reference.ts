import type { ChangeClass, ChangeRule, KeyRules } from './change-rule.ts';
import type { Field } from './field.ts';
import type { Kind } from './kind.ts';

/** A Markdown page about a kind: every field with its type, its limits, what a change of it demands, and its meaning. */
export function reference(kind: Kind): string {
  const { definition } = kind;
  const names = [definition.plural, ...(definition.shortNames ?? [])].map((name) => `\`${name}\``).join(', ');
  const lines = [
    `# ${definition.kind}`,
    '',
    '<!-- Generated from the definition of the kind by `npm run generate`; do not edit. -->',
    '',
    ...(definition.description ? [definition.description, ''] : []),
    `\`${kind.apiVersion}\`, ${definition.scope === 'Namespaced' ? 'namespaced' : 'cluster-wide'}; ${names}.`,
    ...(definition.deprecation ? ['', `**Deprecated:** ${definition.deprecation}`] : []),
    '',
    '## Spec',
    '',
    '| field | type | default | a change demands | meaning |',
    '|---|---|---|---|---|',
    ...rows(kind.spec.field, 'spec').map(({ path, field, required, change }) =>
      row(
        `\`${path}\`${required ? ' *' : ''}`,
        typeText(field),
        field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``,
        change,
        meaning(field),
      ),
    ),
    '',
    'Fields marked * are required where the object that holds them is present.',
  ];
  if (definition.status) {
    lines.push('', '## Status', '', '| field | type | meaning |', '|---|---|---|');
    for (const { path, field } of rows(kind.status.field, 'status')) {
      lines.push(row(`\`${path}\``, typeText(field), meaning(field)));
    }
  }
  const rules = [
    ...rulesOf(kind.spec.field, 'spec'),
    ...(definition.rules ?? []).map((rule) => ['object', rule] as const),
  ];
  if (rules.length > 0) {
    lines.push('', '## Rules', '', '| on | must hold | otherwise |', '|---|---|---|');
    for (const [path, rule] of rules) lines.push(row(`\`${path}\``, `\`${rule.rule}\``, rule.message ?? ''));
  }
  return `${lines.join('\n')}\n`;
}

interface Row {
  readonly path: string;
  readonly field: Field;
  readonly required: boolean;
  readonly change: string;
}

/** Every field below `field`, parents before children. A field without a class of its own has its parent's. */
function rows(field: Field, path: string, inherited: ChangeRule = 'upgrade'): Row[] {
  const own = field.change ?? inherited;
  const children = Object.entries(field.properties ?? {}).flatMap(([name, child]) => {
    const at = `${path}.${name}`;
    const change = child.change ?? classOf(own);
    return [
      { path: at, field: child, required: field.required?.includes(name) ?? false, change: changeText(change, own) },
      ...rows(child, at, change),
    ];
  });
  return [
    ...children,
    ...(field.items ? rows(field.items, `${path}[]`, classOf(own)) : []),
    ...(field.additionalProperties ? rows(field.additionalProperties, `${path}.*`, classOf(own)) : []),
  ];
}

/** What a child inherits: the class alone. */
function classOf(rule: ChangeRule): ChangeClass {
  if (typeof rule === 'string' || 'by' in rule) return rule;
  return rule.demands ?? 'upgrade';
}

function changeText(rule: ChangeRule, parent: ChangeRule): string {
  if (typeof rule === 'string' || 'by' in rule) return classText(rule);
  const { demands = classOf(parent), keys, ignoreAbsent, absentMeans } = rule;
  return [
    keys ? keysText(keys, demands) : classText(demands),
    ...(ignoreAbsent ? [ignoredText[ignoreAbsent]] : []),
    ...(absentMeans === undefined ? [] : [`absent means \`${JSON.stringify(absentMeans)}\``]),
  ].join('; ');
}

const ignoredText = {
  after: 'removing it demands nothing',
  before: 'adding it demands nothing',
  either: 'adding or removing it demands nothing',
};

function classText(demands: ChangeClass): string {
  if (typeof demands === 'string') return words(demands);
  const cases = Object.entries(demands.cases).map(
    ([value, demand]) => `${words(demand)} when ${demands.by} is ${value}`,
  );
  return [...cases, `otherwise ${words(demands.otherwise)}`].join(', ');
}

function keysText({ prefixes, otherwise }: KeyRules, own: ChangeClass): string {
  const each = prefixes.map(([prefix, demands]) => `\`${prefix}…\`: ${classText(demands)}`);
  return [...each, `other keys: ${classText(otherwise ?? own)}`].join('; ');
}

function words(demand: string): string {
  return demand.replaceAll('-', ' ');
}

function typeText(field: Field): string {
  const limits = [
    ...(field.minimum === undefined ? [] : [`${field.exclusiveMinimum ? '>' : '≥'} ${field.minimum}`]),
    ...(field.maximum === undefined ? [] : [`${field.exclusiveMaximum ? '<' : '≤'} ${field.maximum}`]),
    ...(field.pattern === undefined ? [] : [`matches \`${field.pattern}\``]),
    ...(field.nullable ? ['or null'] : []),
  ];
  return [baseText(field), ...limits].join(', ');
}

function baseText(field: Field): string {
  if (field.enum)
    return field.enum
      .filter((value) => value !== null)
      .map((value) => `\`${value}\``)
      .join(' or ');
  if (field['x-kubernetes-int-or-string']) return 'integer or string';
  if (field.type === 'array')
    return `${field['x-kubernetes-list-type'] === 'set' ? 'set' : 'list'} of ${plural(field.items)}`;
  if (field.additionalProperties) return `map of ${plural(field.additionalProperties)}`;
  if (field['x-kubernetes-embedded-resource']) return 'Kubernetes object';
  if (field['x-kubernetes-preserve-unknown-fields']) return field.type === 'object' ? 'free-form object' : 'any value';
  if (field.type === 'string' && field.format) return field.format;
  return field.type ?? 'any value';
}

function plural(field: Field | undefined): string {
  const text = baseText(field ?? {});
  return /^[a-z]+$/.test(text) ? `${text}s` : text;
}

function meaning(field: Field): string {
  return [
    ...(field.deprecated ? ['**Deprecated.**'] : []),
    ...(field.secret ? ['Secret.'] : []),
    ...(field.description ? [field.description] : []),
  ].join(' ');
}

function rulesOf(field: Field, path: string): (readonly [string, { rule: string; message?: string }])[] {
  return [
    ...(field['x-kubernetes-validations'] ?? []).map((rule) => [path, rule] as const),
    ...Object.entries(field.properties ?? {}).flatMap(([name, child]) => rulesOf(child, `${path}.${name}`)),
    ...(field.items ? rulesOf(field.items, `${path}[]`) : []),
    ...(field.additionalProperties ? rulesOf(field.additionalProperties, `${path}.*`) : []),
  ];
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()).join(' | ')} |`;
}
