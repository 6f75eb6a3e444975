import type { Room } from '../../../function.ts';
import { type Match, Matcher, Subject } from './matcher.ts';
import { LONGEST, parseRegex } from './parse.ts';
import { compile, type Program } from './program.ts';

/** Units of work: to read a character of an expression (a class may take many looks) and of a text. */
const OF_EXPRESSION = 200;
const OF_TEXT = 10;

/** A regular expression of Go. Errors: `RegexSyntaxError`. */
export class GoRegexp {
  readonly #source: string;
  readonly #program: Program;
  readonly #matcher: Matcher;
  readonly #room: Room;

  constructor(source: string, room: Room) {
    this.#source = source;
    this.#room = room;
    room.charge(source.length);
    room.work(Math.min(source.length, LONGEST) * OF_EXPRESSION);
    this.#program = compile(parseRegex(source), source);
    room.charge(this.#program.instructions.length);
    this.#matcher = new Matcher(this.#program, room);
  }

  matches(text: string): boolean {
    return this.#matcher.find(this.#subject(text), 0, 0) !== undefined;
  }

  find(text: string): string | undefined {
    const subject = this.#subject(text);
    const match = this.#matcher.find(subject, 0, 1);
    return match && subject.slice(match[0], match[1]);
  }

  /** At most `most` of them; all if it is negative. */
  findAll(text: string, most: number): readonly string[] {
    const subject = this.#subject(text);
    return this.#all(subject, most).map(([begin, end]) => subject.slice(begin, end));
  }

  replaceAll(text: string, replacement: (group: (name: string) => string) => string): string {
    const subject = this.#subject(text);
    let out = '';
    let copied = 0;
    let from = 0;
    while (from <= subject.length) {
      const match = this.#matcher.find(subject, from, this.#program.groups + 1);
      if (!match) break;
      const [begin, end] = match;
      out += subject.slice(copied, begin);
      // Nothing is replaced right behind a match, but it is at the very beginning.
      if (end > copied || begin === 0) out += replacement((name) => this.#group(subject, match, name));
      copied = end;
      from = Math.max(from + 1, end);
    }
    return out + subject.slice(copied);
  }

  /** At most `most` parts, the last one with the rest; none for 0, all if it is negative. */
  split(text: string, most: number): readonly string[] | undefined {
    if (most === 0) return undefined;
    if (this.#source !== '' && text === '') return [''];
    const subject = this.#subject(text);
    const parts: string[] = [];
    let begin = 0;
    let last = 0;
    for (const [from, to] of this.#all(subject, most)) {
      if (parts.length === most - 1) break;
      last = from;
      if (to !== 0) parts.push(subject.slice(begin, from));
      begin = to;
    }
    if (last !== subject.length) parts.push(subject.slice(begin));
    return parts;
  }

  /** An empty match right behind another one does not count. */
  #all(subject: Subject, most: number): readonly Match[] {
    const matches: Match[] = [];
    let previousEnd = -1;
    for (let from = 0; from <= subject.length && matches.length !== most; ) {
      const match = this.#matcher.find(subject, from, 1);
      if (!match) break;
      const [begin, end] = match;
      const isEmpty = end === from;
      if (!isEmpty || begin !== previousEnd) matches.push(match);
      from = isEmpty ? end + 1 : end;
      previousEnd = end;
    }
    return matches;
  }

  #subject(text: string): Subject {
    this.#room.work(text.length * OF_TEXT);
    return new Subject(text);
  }

  /** By number or name; what there is not, or took no part, is empty. */
  #group(subject: Subject, match: Match, name: string): string {
    const groups = /^(?:0|[1-9][0-9]{0,7})$/.test(name) ? [Number(name)] : (this.#program.names.get(name) ?? []);
    const group = groups.find((index) => (match[2 * index] ?? -1) >= 0);
    return group === undefined ? '' : subject.slice(match[2 * group] as number, match[2 * group + 1]);
  }
}
