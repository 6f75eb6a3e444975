import type { Held } from './held.ts';

/** The variables of a running template, the newest last. */
export class Scope {
  readonly #names: string[] = [];
  readonly #values: Held[] = [];

  /** `$` is what the template was given. */
  constructor(dollar: Held) {
    this.declare('$', dollar);
  }

  get size(): number {
    return this.#names.length;
  }

  declare(name: string, value: Held): void {
    this.#names.push(name);
    this.#values.push(value);
  }

  /** Forgets what was declared after there were so many. */
  shrink(size: number): void {
    this.#names.length = size;
    this.#values.length = size;
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  get(name: string): Held {
    return this.#values[this.#names.lastIndexOf(name)];
  }

  /** The newest of that name. */
  assign(name: string, value: Held): void {
    this.#values[this.#names.lastIndexOf(name)] = value;
  }
}
