import type { Room } from '../../function.ts';
import { binaryOf, fromBinary } from './go-bytes.ts';

const DOTS = '...';

/**
 * At most `width` bytes of a text, from `offset` on, with dots where something is missing. Widths that leave no room for
 * the dots return the text as it is; an offset of up to 4 is not worth dots at the front.
 */
export function abbreviate(text: string, offset: number, width: number): string {
  return width < 4 ? text : fromBinary(abbreviated(binaryOf(text), offset, width));
}

function abbreviated(binary: string, offset: number, width: number): string {
  const length = binary.length;
  if (length <= width) return binary;
  const kept = width - DOTS.length;
  const start = Math.min(offset, length - kept);
  if (start <= 4) return binary.slice(0, kept) + DOTS;
  return DOTS + abbreviated(binary.slice(start), 0, kept);
}

interface Wrapping {
  readonly width: number;
  /** What goes between lines; a line break if empty. */
  readonly separator: string;
  /** A word that is longer than a line is broken, or kept whole. */
  readonly long: 'break' | 'keep';
}

/** Lines of so many bytes, broken at spaces; the space at which a line is broken goes, and those a line begins with. */
export function wrap(text: string, wrapping: Wrapping, room: Room): string {
  const binary = binaryOf(text);
  const separator = binaryOf(wrapping.separator === '' ? '\n' : wrapping.separator);
  const width = Math.max(wrapping.width, 1);
  const lines: string[] = [];
  let at = 0;
  const line = (end: number, next: number) => {
    room.charge(end - at + separator.length);
    lines.push(binary.slice(at, end));
    at = next;
  };

  while (binary.length - at > width) {
    if (binary[at] === ' ') {
      at += 1;
      continue;
    }
    const space = at + binary.slice(at, at + width + 1).lastIndexOf(' ');
    if (space > at) line(space, space + 1);
    else if (wrapping.long === 'break') line(at + width, at + width);
    else {
      const next = binary.indexOf(' ', at + width);
      if (next < 0) break;
      line(next, next + 1);
    }
  }
  return fromBinary([...lines, binary.slice(at)].join(separator));
}
