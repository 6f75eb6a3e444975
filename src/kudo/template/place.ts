import { quote } from './format/quote.ts';
import { Positions } from './positions.ts';
import type { Node } from './syntax/ast.ts';
import { describe } from './syntax/describe.ts';
import { TemplateError } from './template-error.ts';

/** Longer parts of a template are cut short in messages. */
const LONGEST_EXCERPT = 2000;

/** Where in a template the evaluation is. Go's messages tell the part it looked at last, so that is what is kept. */
export class Place {
  readonly #file: string;
  readonly #text: string;
  /** The template that is running: the file, or one that it defines. */
  executing: string;
  node: Node;

  constructor(file: string, text: string, node: Node) {
    this.#file = file;
    this.#text = text;
    this.executing = file;
    this.node = node;
  }

  fail(message: string): never {
    throw this.error('execute', message);
  }

  error(stage: 'execute' | 'limit', message: string): TemplateError {
    const { line, column } = new Positions(this.#text).of(this.node.at);
    const where = `${this.#file}:${line}:${column}: executing ${quote(this.executing)} at <${excerpt(this.node)}>`;
    return new TemplateError(
      stage,
      { template: this.#file, line, column },
      `template: ${where}: ${message}`.toWellFormed(),
    );
  }
}

function excerpt(node: Node): string {
  const text = describe(node);
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}...` : text;
}
