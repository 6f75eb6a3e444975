import { equal, isAbsent, isObject, type Members } from '../../change/equal.ts';

/** Maps of a pod that mean the same empty as absent. An empty object elsewhere (`emptyDir: {}`) says something. */
const maps = new Set(['labels', 'annotations', 'nodeSelector', 'matchLabels', 'limits', 'requests', 'overhead']);

/** Maps of amounts, and single amounts. */
const amounts = new Set(['limits', 'requests', 'overhead']);
const amount = new Set(['sizeLimit', 'divisor']);

/**
 * What a pod template says, without what it only contains: nothing beside `metadata` and `spec`, no empty lists and
 * maps, amounts as text. It is the form in which the Java operator records templates, so two templates with the same
 * meaning differ in nothing that would have to be redone.
 */
export function podTemplateMeaning(template: unknown): unknown {
  if (!isObject(template)) return template;
  const { metadata, spec } = template;
  return meaning({ metadata, spec });
}

/** Whether two pod templates say the same. */
export function samePodTemplate(before: unknown, after: unknown): boolean {
  return equal(podTemplateMeaning(before), podTemplateMeaning(after));
}

/** Deeper than any pod; what lies below is left as it is. */
const deepest = 100;

/** The same of a part of a pod: its metadata, the requests and limits of a container. */
export function meaning(value: unknown, depth = 0): unknown {
  if (depth > deepest) return value;
  if (Array.isArray(value)) return value.map((one) => meaning(one, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => !saysNothing(name, one))
      .map(([name, one]) => [
        name,
        amounts.has(name) && isObject(one) ? inText(one) : asText(name, meaning(one, depth + 1)),
      ]),
  );
}

function saysNothing(name: string, value: unknown): boolean {
  if (isAbsent(value)) return true;
  if (Array.isArray(value)) return value.length === 0;
  return maps.has(name) && isObject(value) && Object.keys(value).length === 0;
}

function inText(map: Members): Members {
  return Object.fromEntries(Object.entries(map).map(([name, one]) => [name, typeof one === 'number' ? `${one}` : one]));
}

function asText(name: string, value: unknown): unknown {
  return amount.has(name) && typeof value === 'number' ? `${value}` : value;
}
