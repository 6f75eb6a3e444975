import type { Parameter } from '../resources/operator-version.ts';

/** So many other values are tried for one parameter in one template. */
const most = 10;

/**
 * Values that a parameter could have instead of the present one, chosen so that a template which uses it is likely to show
 * it: the other words of an enum, numbers below and above (a template may compare), the other boolean, one item more, and
 * the words that the template itself compares with.
 */
export function otherValues(parameter: Parameter, present: string, template: string): readonly string[] {
  const candidates = parameter.enum?.length ? parameter.enum : byType(parameter['value-type'], present, template);
  return [...new Set(candidates)].filter((value) => value !== present).slice(0, most);
}

/** A value for a parameter that must have one and has none. */
export function someValue(parameter: Parameter): string {
  const [first] = parameter.enum ?? [];
  if (first !== undefined) return first;
  switch (parameter['value-type']) {
    case 'integer':
    case 'number':
      return '1';
    case 'boolean':
      return 'true';
    case 'array':
      return '[sample]';
    case 'map':
      return '{sample: sample}';
    default:
      return 'sample';
  }
}

const whole = /^-?\d{1,15}$/;
const fraction = /^-?\d{1,15}\.\d{1,15}$/;

function byType(type: string | undefined, present: string, template: string): readonly string[] {
  switch (type) {
    case 'integer':
      return numbers(whole.test(present) ? Number(present) : 1);
    case 'number':
      return numbers(fraction.test(present) || whole.test(present) ? Number(present) : 1);
    case 'boolean':
      return ['true', 'false'];
    case 'array':
      return ['[]', '[sample]', '[sample, another]'];
    case 'map':
      return ['{}', '{sample: sample}', '{sample: another, another: sample}'];
    default:
      return ofText(present, template);
  }
}

/**
 * Whether a template does nothing with a parameter but print it, perhaps through functions: then any other value shows where
 * it goes, and one is enough. When in doubt, no.
 */
export function isOnlyPrinted(name: string, template: string): boolean {
  const naming = actionsOf(template).filter((action) => action.includes(name));
  return naming.length > 0 && naming.every((action) => printing.test(action));
}

const printing = /^\{\{-?\s*(?:quote |squote )?\$?\.Params\.\w+\s*(?:\|\s*\w+(?: \d+)?\s*)*-?\}\}$/;

/** Most parameters have no type, and say only by their value what they are. */
function ofText(present: string, template: string): readonly string[] {
  if (whole.test(present) || fraction.test(present)) return numbers(Number(present));
  if (present === 'true' || present === 'false') return ['true', 'false'];
  const quantity = /^(\d{1,9})([A-Za-z]{1,3})$/.exec(present);
  const other = quantity ? [`${Number(quantity[1]) + 1}${quantity[2]}`] : [];
  return [...other, `${present}-other`, '', ...wordsOf(template)];
}

function numbers(present: number): readonly string[] {
  return [present + 1, 1, 0, present * 2 + 1, present - 1, 1000].map(String);
}

/** Texts in quotes inside of actions: what the template may compare its parameters with. */
function wordsOf(template: string): readonly string[] {
  const words: string[] = [];
  for (const action of actionsOf(template)) {
    for (const [, word = ''] of action.matchAll(/"([^"\\]{1,80})"/g)) words.push(word);
    if (words.length > most) break;
  }
  return words;
}

function actionsOf(template: string): readonly string[] {
  return template.match(/\{\{[^{}]{0,500}\}\}/g) ?? [];
}
