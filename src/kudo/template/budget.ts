import { createHmac } from 'node:crypto';
import { FunctionFailure, type Room } from './function.ts';
import { LIMITS, LimitExceeded, type Limits } from './limits.ts';

/** Units of work that a step takes, at least. */
const STEP = 30;

/** Units of work that it takes somebody else to read a printed character. */
export const UNITS_PER_CHARACTER = 100;

/** What one rendering may use, and what it has used of it. */
export class Budget implements Room {
  readonly #limits: Limits;
  readonly #key: Uint8Array | undefined;
  readonly #template: string;
  #steps = 0;
  #output = 0;
  #memory = 0;
  #work = 0;
  #depth = 0;
  #blocks = 0;
  #left: Uint8Array = new Uint8Array();

  constructor(template: string, key: Uint8Array | undefined, limits: Partial<Limits> | undefined) {
    this.#template = template;
    this.#key = key;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** All that was used, as so many printed characters, and at least a limit that was hit: to read one as YAML takes about as long as a hundred units of work. */
  get spent(): number {
    const work = Math.min(this.#work, this.#limits.work);
    return Math.min(this.#output, this.#limits.output) + Math.ceil(work / UNITS_PER_CHARACTER);
  }

  step(): void {
    if (++this.#steps > this.#limits.steps) throw new LimitExceeded('steps', this.#limits.steps);
    this.work(STEP);
  }

  enter(): void {
    if (++this.#depth > this.#limits.depth) throw new LimitExceeded('depth', this.#limits.depth);
  }

  leave(): void {
    this.#depth--;
  }

  print(characters: number): void {
    this.#output += characters;
    if (this.#output > this.#limits.output) throw new LimitExceeded('output', this.#limits.output);
  }

  charge(amount: number): void {
    this.#memory += amount;
    if (!(this.#memory <= this.#limits.memory)) throw new LimitExceeded('memory', this.#limits.memory);
    this.work(amount);
  }

  work(units: number): void {
    this.#work += units;
    if (!(this.#work <= this.#limits.work)) throw new LimitExceeded('work', this.#limits.work);
  }

  /** The stream is HMAC-SHA256 of the template's name and a counter: nobody without the key can tell it from chance. */
  random(bytes: number): Uint8Array {
    const key = this.#key;
    if (key === undefined) throw new FunctionFailure('there is no key to draw random values from');
    this.charge(bytes);
    const drawn = new Uint8Array(bytes);
    for (let at = 0; at < bytes; ) {
      if (this.#left.length === 0) {
        const block = `${this.#template}\0${this.#blocks++}`;
        this.#left = new Uint8Array(createHmac('sha256', key).update(block).digest());
      }
      const part = this.#left.subarray(0, bytes - at);
      drawn.set(part, at);
      this.#left = this.#left.subarray(part.length);
      at += part.length;
    }
    return drawn;
  }
}
