import { FunctionFailure, type Room } from '../function.ts';
import { textOf } from '../functions/sprig/go-bytes.ts';
import { LimitExceeded } from '../limits.ts';
import { kindOf, typeOf } from '../type.ts';
import { GoInt, GoList, GoObject, type GoValue } from '../value.ts';
import { sortedKeys } from './bytes.ts';
import { type Directive, pad } from './directive.ts';
import { formatInteger } from './integer.ts';
import { formatNumber } from './number.ts';
import { formatBytes, formatText } from './text.ts';

/** Values inside one another; a template can put a map into itself, where Go would die of it. */
const DEEPEST = 1000;

/** Prints values by Go's verbs. What it prints is charged to the room as it grows, so that it cannot explode. */
export class Printer {
  readonly #room: Pick<Room, 'charge'>;

  constructor(room: Pick<Room, 'charge'>) {
    this.#room = room;
  }

  /** One argument of `printf`. */
  print(value: GoValue, verb: string, directive: Directive): string {
    if (value === null) {
      return verb === 'v' || verb === 'T' ? this.#made(pad('<nil>', directive)) : `%!${verb}(<nil>)`;
    }
    if (verb === 'T') return this.#made(formatText(typeOf(value), 's', directive) as string);
    if (verb === 'p') return this.#pointer(value, directive);
    return this.#value(value, verb, directive, 0);
  }

  #value(value: NonNullable<GoValue>, verb: string, directive: Directive, depth: number): string {
    if (typeof value === 'string') return this.#or(formatText(value, verb, directive), value, verb, directive);
    if (typeof value === 'number') return this.#or(formatNumber(value, verb, directive), value, verb, directive);
    if (typeof value === 'boolean') {
      const text = verb === 't' || verb === 'v' ? pad(String(value), directive) : undefined;
      return this.#or(text, value, verb, directive);
    }
    if (value instanceof GoInt) {
      const isSigned = !value.type.startsWith('u');
      return this.#or(formatInteger(value.value, isSigned, verb, directive), value, verb, directive);
    }
    if (value instanceof GoObject) {
      const text = directive.goSyntax ? value.text : formatText(value.text, verb, directive);
      return this.#or(text, value, verb, directive);
    }
    if (depth > DEEPEST) throw new LimitExceeded('depth', DEEPEST);
    if (verb === 'w') return this.#bad(value, verb, directive);
    if (value instanceof Map) return this.#map(value, verb, directive, depth);
    if (value instanceof GoList && value.type === '[]uint8') return this.#bytes(value, verb, directive, depth);
    return this.#list(value, verb, directive, depth);
  }

  /** Keys in their order, as Go prints maps. */
  #map(map: ReadonlyMap<string, GoValue>, verb: string, directive: Directive, depth: number): string {
    const entries = sortedKeys(map).map((key) => {
      const name = this.#value(key, verb, directive, depth);
      return `${name}:${this.#item(map.get(key) ?? null, verb, directive, depth)}`;
    });
    const { goSyntax } = directive;
    return this.#made(goSyntax ? `${typeOf(map as GoValue)}{${entries.join(', ')}}` : `map[${entries.join(' ')}]`);
  }

  #list(list: readonly GoValue[] | GoList, verb: string, directive: Directive, depth: number): string {
    const values = list instanceof GoList ? list.items : list;
    const items = values.map((item) => this.#item(item, verb, directive, depth));
    return this.#made(directive.goSyntax ? `${typeOf(list)}{${items.join(', ')}}` : `[${items.join(' ')}]`);
  }

  #bytes(list: GoList, verb: string, directive: Directive, depth: number): string {
    const bytes = Uint8Array.from(list.items, (item) => Number((item as GoInt).value));
    if (verb === 'x' || verb === 'X') return this.#made(formatBytes(bytes, verb, directive));
    if (verb === 's' || verb === 'q') {
      return this.#made(formatText(textOf(bytes), verb, directive) as string);
    }
    if (directive.goSyntax && depth === 0) return this.#list(list, verb, directive, depth).replace('[]uint8', '[]byte');
    return this.#list(list, verb, directive, depth);
  }

  #item(item: GoValue, verb: string, directive: Directive, depth: number): string {
    if (item === null) return this.#made(directive.goSyntax ? 'interface {}(nil)' : '<nil>');
    return this.#value(item, verb, directive, depth + 1);
  }

  /** Addresses differ from run to run, and what is rendered must not. */
  #pointer(value: NonNullable<GoValue>, directive: Directive): string {
    const kind = kindOf(value);
    if (kind !== 'map' && kind !== 'slice' && kind !== 'ptr') return this.#bad(value, 'p', directive);
    throw new FunctionFailure('%p prints an address in memory, which no two runs share');
  }

  #or(text: string | undefined, value: NonNullable<GoValue>, verb: string, directive: Directive): string {
    return text === undefined ? this.#bad(value, verb, directive) : this.#made(text);
  }

  /** `%!d(string=x)`: the verb is not for this type. */
  #bad(value: NonNullable<GoValue>, verb: string, directive: Directive): string {
    return this.#made(`%!${verb}(${typeOf(value)}=${this.#value(value, 'v', directive, 0)})`);
  }

  #made(text: string): string {
    this.#room.charge(text.length);
    return text;
  }
}
