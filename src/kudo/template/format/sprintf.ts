import type { Room } from '../function.ts';
import { typeOf } from '../type.ts';
import { GoInt, type GoValue } from '../value.ts';
import { type Directive, PLAIN } from './directive.ts';
import { Printer } from './printer.ts';

type Changing<T> = { -readonly [K in keyof T]: T[K] };

/** The widest field and longest precision that Go takes; more counts as none. */
const WIDEST = 1_000_000;

const FLAGS: ReadonlyMap<string, 'sharp' | 'zero' | 'plus' | 'minus' | 'space'> = new Map([
  ['#', 'sharp'],
  ['0', 'zero'],
  ['+', 'plus'],
  ['-', 'minus'],
  [' ', 'space'],
]);

/** `printf`: mistakes in the format or in the arguments show in the text, as Go has it, and are no errors. */
export function sprintf(format: string, args: readonly GoValue[], room: Pick<Room, 'charge'>): string {
  return new Formatting(format, args, room).text();
}

/** What was not found is never reached. */
function endless(index: number): number {
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

class Formatting {
  readonly #format: string;
  readonly #args: readonly GoValue[];
  readonly #printer: Printer;
  #out = '';
  #at = 0;
  #arg = 0;
  #isReordered = false;
  #isGoodIndex = true;
  #isAfterIndex = false;
  /** Where the next `]` is. */
  #close = -1;

  constructor(format: string, args: readonly GoValue[], room: Pick<Room, 'charge'>) {
    this.#format = format;
    this.#args = args;
    this.#printer = new Printer(room);
    room.charge(format.length);
  }

  text(): string {
    while (this.#at < this.#format.length) {
      const percent = this.#format.indexOf('%', this.#at);
      const end = percent < 0 ? this.#format.length : percent;
      this.#out += this.#format.slice(this.#at, end);
      if (percent < 0) break;
      this.#at = percent + 1;
      this.#directive();
    }
    if (!this.#isReordered && this.#arg < this.#args.length) this.#extra();
    return this.#out;
  }

  /** Everything after one `%`. */
  #directive(): void {
    const directive: Changing<Directive> = { ...PLAIN };
    this.#isGoodIndex = true;
    for (let flag = this.#flag(); flag !== undefined; flag = this.#flag()) {
      directive[flag] = true;
      this.#at++;
    }
    this.#index();
    this.#width(directive);
    this.#precision(directive);
    if (!this.#isAfterIndex) this.#index();
    if (this.#at >= this.#format.length) {
      this.#out += '%!(NOVERB)';
      return;
    }
    const verb = String.fromCodePoint(this.#format.codePointAt(this.#at) as number);
    this.#at += verb.length;
    this.#verb(verb, directive);
  }

  #flag() {
    return FLAGS.get(this.#format.charAt(this.#at));
  }

  #verb(verb: string, directive: Changing<Directive>): void {
    if (verb === '%') {
      this.#out += '%';
      return;
    }
    if (!this.#isGoodIndex) {
      this.#out += `%!${verb}(BADINDEX)`;
      return;
    }
    if (this.#arg >= this.#args.length) {
      this.#out += `%!${verb}(MISSING)`;
      return;
    }
    if (verb === 'v' || verb === 'w') {
      directive.goSyntax = directive.sharp;
      directive.sharp = false;
      directive.plus = false;
    }
    this.#out += this.#printer.print(this.#args[this.#arg] ?? null, verb, directive);
    this.#arg++;
  }

  #width(directive: Changing<Directive>): void {
    if (this.#format.charAt(this.#at) !== '*') {
      const width = this.#number();
      if (width === undefined) return;
      directive.width = width;
      if (this.#isAfterIndex) this.#isGoodIndex = false;
      return;
    }
    this.#at++;
    const width = this.#integer();
    if (width === undefined) this.#out += '%!(BADWIDTH)';
    else directive.width = Math.abs(width);
    if (width !== undefined && width < 0) directive.minus = true;
    this.#isAfterIndex = false;
  }

  #precision(directive: Changing<Directive>): void {
    if (this.#at + 1 >= this.#format.length || this.#format.charAt(this.#at) !== '.') return;
    this.#at++;
    if (this.#isAfterIndex) this.#isGoodIndex = false;
    this.#index();
    if (this.#format.charAt(this.#at) !== '*') {
      directive.precision = this.#number() ?? 0;
      return;
    }
    this.#at++;
    const precision = this.#integer();
    if (precision === undefined || precision < 0) this.#out += '%!(BADPREC)';
    else directive.precision = precision;
    this.#isAfterIndex = false;
  }

  /** Digits in the format. A number that is crazily long swallows the rest of the format, as in Go. */
  #number(): number | undefined {
    let number: number | undefined;
    for (; this.#at < this.#format.length; this.#at++) {
      const digit = this.#format.charCodeAt(this.#at) - 48;
      if (digit < 0 || digit > 9) break;
      if ((number ?? 0) > WIDEST) {
        this.#at = this.#format.length;
        return undefined;
      }
      number = (number ?? 0) * 10 + digit;
    }
    return number;
  }

  /** The next argument as a width or a precision: `*`. */
  #integer(): number | undefined {
    if (this.#arg >= this.#args.length) return undefined;
    const value = this.#args[this.#arg++];
    if (!(value instanceof GoInt)) return undefined;
    return value.value > WIDEST || value.value < -WIDEST ? undefined : Number(value.value);
  }

  /** `[2]`: which argument comes next. */
  #index(): void {
    this.#isAfterIndex = false;
    if (this.#format.charAt(this.#at) !== '[') return;
    this.#isReordered = true;
    // The next one is looked for only once it is passed, or each `[` would read the whole format.
    if (this.#close <= this.#at) this.#close = endless(this.#format.indexOf(']', this.#at + 1));
    const close = this.#close;
    if (close === Number.POSITIVE_INFINITY || this.#format.length - this.#at < 3) {
      this.#at++;
      this.#isGoodIndex = false;
      return;
    }
    const inside = this.#format.slice(this.#at + 1, close);
    this.#at = close + 1;
    const isNumber = /^\d{1,7}$/.test(inside);
    this.#isAfterIndex = isNumber;
    const index = Number(inside) - 1;
    if (isNumber && index >= 0 && index < this.#args.length) this.#arg = index;
    else this.#isGoodIndex = false;
  }

  #extra(): void {
    const rest = this.#args.slice(this.#arg).map((value) => {
      return value === null ? '<nil>' : `${typeOf(value)}=${this.#printer.print(value, 'v', PLAIN)}`;
    });
    this.#out += `%!(EXTRA ${rest.join(', ')})`;
  }
}
