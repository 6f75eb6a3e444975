import type { Field } from '../../src/schema/field.ts';

/** One step of the way to a property: the name of a field, any element of a list, or any value of a map. */
export type Step = string;
export const element: Step = '[]';
export const entry: Step = '{}';

/** A place in a schema where a person can write something. */
export interface Property {
  /** `spec.job.args[]`, `spec.parameters{}` */
  readonly text: string;
  /** From the spec downwards. */
  readonly steps: readonly Step[];
  readonly field: Field;
}

/**
 * Every property of a spec, parents before children. A schema that lets unknown fields through is walked as far as it names
 * fields; what it does not name has no place here, and samples stand for it.
 */
export function propertiesOf(spec: Field): readonly Property[] {
  return walk({ text: 'spec', steps: [], field: spec }).slice(1);
}

function walk(property: Property): readonly Property[] {
  return [property, ...childrenOf(property).flatMap(walk)];
}

/** The properties right below one. */
export function childrenOf({ text, steps, field }: Property): readonly Property[] {
  const { properties = {}, items, additionalProperties } = field;
  const below = (step: Step, child: Field): Property => ({
    text: step === element || step === entry ? `${text}${step}` : `${text}.${step}`,
    steps: [...steps, step],
    field: child,
  });
  return [
    ...Object.entries(properties).map(([name, child]) => below(name, child)),
    ...(items ? [below(element, items)] : []),
    ...(typeof additionalProperties === 'object' ? [below(entry, additionalProperties)] : []),
  ];
}
