import { sortedKeys } from '../../format/bytes.ts';
import { formatFloat, SHORTEST } from '../../format/float.ts';
import type { Room } from '../../function.ts';
import { GoInt, GoObject, type GoValue } from '../../value.ts';
import { momentOf, rfc3339 } from './dates/moment.ts';
import { isSlice, itemsOf } from './slices.ts';
import { weigh } from './weigh.ts';
import { naturalOrder } from './yaml/natural-order.ts';
import { fitsSimpleKey, type Scalar, scalarOf, writtenScalar } from './yaml/scalar.ts';

/** Where a value stands: a list right under its key is not indented, and the first line may go on behind a dash. */
type Place = 'root' | 'item' | 'value';

/** Go's `float64`s that have names in YAML. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['+Inf', '.inf'],
  ['-Inf', '-.inf'],
  ['NaN', '.nan'],
]);

/** A line ends here; a literal block may end with one of its own, and then none is added. */
const BREAKS = /[\n\u2028\u2029]$/;

/**
 * A value as yaml.v2 of Go writes it (2.3, which does not fold long lines), to the byte: hashes are computed over it.
 * Throws `FunctionFailure` when the value contains itself.
 */
export function goYaml(value: GoValue): string {
  return toYaml(value, { charge: () => {} });
}

/** The same for a template, which pays for what it makes. */
export function toYaml(value: GoValue, room: Pick<Room, 'charge'>): string {
  weigh(value, room);
  const writer = new Writer(room);
  writer.node(value, -2, 'root');
  return writer.finished();
}

class Writer {
  readonly #room: Pick<Room, 'charge'>;
  #out = '';
  /** The last character: to look into a text that grows would take time for all of it. */
  #last = '';

  constructor(room: Pick<Room, 'charge'>) {
    this.#room = room;
  }

  finished(): string {
    this.#line(0);
    return this.#out;
  }

  /** `indent` is that of what the value belongs to. */
  node(value: GoValue, indent: number, place: Place): void {
    const entries = entriesOf(value);
    const items = isSlice(value) ? itemsOf(value) : undefined;
    if (entries?.length === 0) this.#word('{}');
    else if (entries) this.#map(entries, indent + 2, place);
    else if (items?.length === 0) this.#word('[]');
    else if (items) this.#list(items, place === 'value' ? indent : indent + 2, place);
    else this.#word(writtenScalar(scalar(value), Math.max(indent, 0) + 2));
  }

  #map(entries: readonly (readonly [string, GoValue])[], indent: number, place: Place): void {
    for (const [index, [key, value]] of entries.entries()) {
      if (index > 0 || place === 'value') this.#line(indent);
      const name = scalarOf(key);
      if (fitsSimpleKey(name)) {
        this.#word(`${writtenScalar(name, indent + 2)}:`);
        this.node(value, indent, 'value');
      } else {
        this.#word('?');
        this.#word(writtenScalar(name, indent + 2));
        this.#line(indent);
        this.#word(':');
        this.node(value, indent, 'item');
      }
    }
  }

  #list(items: readonly GoValue[], indent: number, place: Place): void {
    for (const [index, item] of items.entries()) {
      if (index > 0 || place === 'value') this.#line(indent);
      this.#word('-');
      this.node(item, indent, 'item');
    }
  }

  /** Behind what is already in the line. */
  #word(text: string): void {
    const gap = this.#last === '' || BREAKS.test(this.#last) || this.#last === ' ' ? '' : ' ';
    this.#room.charge(gap.length + text.length);
    this.#write(gap + text);
  }

  #line(indent: number): void {
    this.#room.charge(indent + 1);
    this.#write((BREAKS.test(this.#last) ? '' : '\n') + ' '.repeat(indent));
  }

  #write(text: string): void {
    this.#out += text;
    if (text !== '') this.#last = text.charAt(text.length - 1);
  }
}

/** What is written as a map, in its order; nothing for all else. A struct is one of its fields, in small letters. */
function entriesOf(value: GoValue): readonly (readonly [string, GoValue])[] | undefined {
  if (value instanceof Map) return inOrder(value);
  if (!(value instanceof GoObject) || value.type === 'time.Time') return undefined;
  return [...value.fields].map(([key, field]) => [key.toLowerCase(), field]);
}

/**
 * The natural order runs in a circle for some names (`a9`, `a10`, `a1b`), and what Go makes of those differs from run to
 * run. Sorting by bytes first makes it always the same.
 */
function inOrder(map: ReadonlyMap<string, GoValue>): readonly (readonly [string, GoValue])[] {
  return sortedKeys(map)
    .sort(naturalOrder)
    .map((key) => [key, map.get(key) as GoValue]);
}

function scalar(value: GoValue): Scalar {
  if (typeof value === 'string') return scalarOf(value);
  return { text: plain(value), style: 'plain', tag: '' };
}

function plain(value: GoValue): string {
  if (value instanceof GoInt) return value.value.toString();
  if (value instanceof GoObject) return rfc3339(momentOf(value));
  if (typeof value !== 'number') return String(value);
  const text = formatFloat(value, 'g', SHORTEST);
  return NAMED.get(text) ?? text;
}
