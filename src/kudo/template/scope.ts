import type { Held } from './held.ts';

/**
 * The variables of a running template, the newest last. Looking one up takes the same time however many there are; that
 * there are not too many was seen when the template was parsed.
 */
export class Scope {
  readonly #names: string[] = [];
  readonly #values: Held[] = [];
  /** Where the variables of each name are, the newest last; a name that is gone has none. */
  readonly #places = new Map<string, number[]>();

  /** `$` is what the template was given. */
  constructor(dollar: Held) {
    this.declare('$', dollar);
  }

  get size(): number {
    return this.#names.length;
  }

  declare(name: string, value: Held): void {
    const places = this.#places.get(name);
    if (places) places.push(this.#names.length);
    else this.#places.set(name, [this.#names.length]);
    this.#names.push(name);
    this.#values.push(value);
  }

  /** Forgets what was declared after there were so many. */
  shrink(size: number): void {
    while (this.#names.length > size) {
      this.#places.get(this.#names.pop() as string)?.pop();
      this.#values.pop();
    }
  }

  has(name: string): boolean {
    return this.#newest(name) >= 0;
  }

  get(name: string): Held {
    return this.#values[this.#newest(name)];
  }

  /** The newest of that name. */
  assign(name: string, value: Held): void {
    this.#values[this.#newest(name)] = value;
  }

  #newest(name: string): number {
    return this.#places.get(name)?.at(-1) ?? -1;
  }
}
