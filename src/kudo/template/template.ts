import type { FunctionTable } from './function.ts';
import type { Limits } from './limits.ts';

/** A template and the name it has in messages: its file. */
export interface TemplateSource {
  readonly name: string;
  readonly text: string;
}

/** A parsed template, ready to be rendered any number of times. */
export interface Template {
  readonly name: string;
}

/** What templates see: JSON, with numbers as float64. A key is only a key, also when it is `__proto__`. */
export type TemplateData =
  | null
  | string
  | boolean
  | number
  | readonly TemplateData[]
  | { readonly [key: string]: TemplateData }
  | ReadonlyMap<string, TemplateData>;

export interface RenderOptions {
  /** What random functions are seeded with; without it they fail. */
  readonly key?: Uint8Array;
  readonly limits?: Partial<Limits>;
}

/** Errors: `TemplateError`. */
export function parseTemplate(_source: TemplateSource, _functions: FunctionTable): Template {
  throw new Error('being built');
}

/** Errors: `TemplateError`. */
export function renderTemplate(_template: Template, _data: TemplateData, _options?: RenderOptions): string {
  throw new Error('being built');
}
