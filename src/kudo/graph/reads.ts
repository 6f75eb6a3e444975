import { parsedTemplate } from '../render/parsed-template.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { usesOf } from '../template/analysis.ts';

/** Which parameters a template names, and in which lines. */
export interface Reads {
  readonly params: ReadonlyMap<string, readonly number[]>;
  /** It uses the parameters as a whole: any of them may be read. */
  readonly any: boolean;
}

const nothing: Reads = { params: new Map(), any: false };

/** A template that is absent or cannot be parsed reads nothing, for it makes nothing. */
export function readsOf(version: OperatorVersion, name: string): Reads {
  try {
    const template = parsedTemplate(version, name);
    if (template === undefined) return nothing;
    const { params, wholeParams } = usesOf(template);
    const lines = [...params].map(([param, places]) => [param, [...new Set(places.map(({ line }) => line))]] as const);
    return { params: new Map(lines), any: wholeParams };
  } catch {
    return nothing;
  }
}
