import { Budget } from './budget.ts';
import { held, type TemplateData } from './data.ts';
import type { FunctionTable } from './function.ts';
import { BUILTINS } from './functions/builtins.ts';
import { bytesOf, textOf } from './functions/sprig/go-bytes.ts';
import { LimitExceeded, type Limits } from './limits.ts';
import { Place } from './place.ts';
import { Statements } from './statements.ts';
import type { List } from './syntax/ast.ts';
import { parse } from './syntax/parser.ts';

/** A template and the name it has in messages: its file. */
export interface TemplateSource {
  readonly name: string;
  readonly text: string;
}

/** A parsed template, ready to be rendered any number of times. */
export interface Template extends TemplateSource {
  /** Itself and the templates it defines, by name. */
  readonly lists: ReadonlyMap<string, List>;
}

export interface RenderOptions {
  /** What random functions are seeded with; without it they fail. */
  readonly key?: Uint8Array;
  readonly limits?: Partial<Limits>;
  /** Told how much was done, as so many printed characters. Also if the template fails. */
  readonly spent?: (work: number) => void;
}

/**
 * Go's built-in functions are always there, unless one of the given ones has the same name.
 *
 * Errors: `TemplateError`.
 */
export function parseTemplate(source: TemplateSource, functions: FunctionTable): Template {
  const { name, text } = source;
  return { name, text, lists: parse(name, text, (callee) => functions.get(callee) ?? BUILTINS.get(callee)) };
}

/**
 * Guarantee: the same template, data and key give the same text, always. A key that is absent is an error.
 *
 * Errors: `TemplateError`.
 */
export function renderTemplate(template: Template, data: TemplateData, options: RenderOptions = {}): string {
  const list = template.lists.get(template.name) as List;
  const place = new Place(template.name, template.text, list);
  const budget = new Budget(template.name, options.key, options.limits);
  try {
    const dot = held(data);
    const output = new Statements(template.lists, place, budget, dot).run(list, dot);
    // Bytes that functions cut apart may have come together again; those that did not are no text.
    return output.isWellFormed() ? output : textOf(bytesOf(output)).toWellFormed();
  } catch (error) {
    throw error instanceof LimitExceeded ? place.error('limit', error.message) : error;
  } finally {
    options.spent?.(budget.spent);
  }
}
