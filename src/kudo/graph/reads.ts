import type { OperatorVersion } from '../resources/operator-version.ts';
import { usesOf } from '../template/analysis.ts';
import type { FunctionTable } from '../template/function.ts';
import { parseTemplate } from '../template/template.ts';
import { own } from './own.ts';

const templateFunctions: FunctionTable = new Map();

/** Which parameters a template names, and in which lines. */
export interface Reads {
  readonly params: ReadonlyMap<string, readonly number[]>;
  /** It uses the parameters as a whole: any of them may be read. */
  readonly any: boolean;
}

/** A template that cannot be parsed reads nothing, for it makes nothing. */
export function readsOf({ spec }: OperatorVersion, template: string): Reads {
  const text = own(spec.templates, template);
  if (text === undefined) return { params: new Map(), any: false };
  try {
    const { params, wholeParams } = usesOf(parseTemplate({ name: template, text }, templateFunctions));
    const lines = [...params].map(([name, places]) => [name, [...new Set(places.map(({ line }) => line))]] as const);
    return { params: new Map(lines), any: wholeParams };
  } catch {
    return { params: new Map(), any: false };
  }
}
