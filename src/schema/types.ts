import * as z from 'zod';
import type { ValidationRule } from './field.ts';

/** `8080` or `http`, `1` or `25%`: Kubernetes' `IntOrString`. */
export function intOrString(pattern?: RegExp): z.ZodUnion<[z.ZodInt, z.ZodString]> {
  return z.union([z.int(), pattern ? z.string().regex(pattern) : z.string()]);
}

/** An amount with an optional suffix, as in `resources`: `500m`, `1.5Gi`, `2`. */
export function quantity(): z.ZodUnion<[z.ZodInt, z.ZodString]> {
  return intOrString(/^[+-]?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/);
}

/** A list whose elements are told apart by `keys`: appliers own elements, and the diff reports them, one by one. */
export function keyedList<T extends z.ZodObject>(element: T, ...keys: (keyof T['shape'] & string)[]): z.ZodArray<T> {
  return unique(z.array(element), (one) => JSON.stringify(keys.map((key) => Reflect.get(one, key)))).meta({
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  });
}

/** A list without order and without duplicates. */
export function setOf<T extends z.ZodType>(element: T): z.ZodArray<T> {
  return unique(z.array(element), (one) => one).meta({ 'x-kubernetes-list-type': 'set' });
}

/** The API server refuses duplicates in sets and keyed lists by itself; wherever zod parses, this does. */
function unique<T extends z.ZodType>(list: z.ZodArray<T>, id: (element: z.output<T>) => unknown): z.ZodArray<T> {
  const message = 'must not hold the same element twice';
  return list.refine((elements) => new Set(elements.map(id)).size === elements.length, message);
}

/** A whole Kubernetes object inside another: the API server checks its envelope and keeps the rest as it is. */
export function embeddedResource(): z.ZodObject<{ apiVersion: z.ZodString; kind: z.ZodString }, z.core.$loose> {
  return z.looseObject({ apiVersion: z.string(), kind: z.string() }).meta({ 'x-kubernetes-embedded-resource': true });
}

/**
 * Adds a CEL rule for the API server and, in `holds`, the same rule for wherever zod parses. A rule about a transition
 * (`oldSelf`) has no `holds`: a parse sees one object only.
 */
export function rule<T extends z.ZodType>(
  schema: T,
  { holds, ...rule }: ValidationRule & { readonly message: string; readonly holds?: (value: z.output<T>) => boolean },
): T {
  const path = rule.fieldPath?.split('.').filter((segment) => segment !== '') ?? [];
  const refined = holds ? schema.refine(holds, { message: rule.message, path }) : schema;
  const rules = schema.meta()?.['x-kubernetes-validations'] ?? [];
  return refined.meta({ ...schema.meta(), 'x-kubernetes-validations': [...rules, rule] });
}
