import type { Room } from '../../../function.ts';
import { isEscape } from '../go-bytes.ts';
import type { Assertion } from './node.ts';
import type { Instruction, Program } from './program.ts';

/** Beginning and end of the whole match and of each group, in characters of the text; -1 for a group that took no part. */
export type Match = readonly [begin: number, end: number, ...groups: number[]];

/** Units of work for a step, which are paid for when there are so many. A copied slot is one unit more. */
const STEP = 60;
const PAID_AT_ONCE = 10_000;

/** Where a match may be: an instruction, and the groups found on the way to it. */
interface Thread {
  readonly at: number;
  readonly slots: readonly number[];
}

/** A text as Go's matcher sees it: characters, of which those that are no UTF-8 are U+FFFD. */
export class Subject {
  readonly codes: readonly number[];
  readonly #offsets: readonly number[];
  readonly #text: string;

  constructor(text: string) {
    const codes: number[] = [];
    const offsets: number[] = [];
    let offset = 0;
    for (const character of text) {
      const code = character.codePointAt(0) as number;
      codes.push(isEscape(code) ? 0xfffd : code);
      offsets.push(offset);
      offset += character.length;
    }
    offsets.push(offset);
    this.codes = codes;
    this.#offsets = offsets;
    this.#text = text;
  }

  get length(): number {
    return this.codes.length;
  }

  slice(from: number, to: number = this.length): string {
    return this.#text.slice(this.#offsets[from], this.#offsets[to]);
  }
}

/**
 * Finds the leftmost match, and of those that begin there the one that the expression prefers. All ways are followed at
 * once, each instruction at most once per character: the steps of one search are at most the length of the text times
 * that of the program, whatever the expression. A step that notes where a group begins or ends copies the slots that are
 * wanted. Both are paid for, so the room bounds the time, also of many searches in one text.
 */
export class Matcher {
  readonly #program: Program;
  readonly #room: Room;
  /** In which round each instruction was last reached. */
  readonly #reached: Uint32Array;
  #round = 0;
  #unpaid = 0;

  constructor(program: Program, room: Room) {
    this.#program = program;
    this.#room = room;
    this.#reached = new Uint32Array(program.instructions.length);
  }

  /** Only the first `groups` are noted (the whole match is one); with none, the first match that is seen will do. */
  find(subject: Subject, from: number, groups: number): Match | undefined {
    const { instructions, start } = this.#program;
    const nothing: readonly number[] = new Array(2 * groups).fill(-1);
    this.#pay(nothing.length);
    let threads: Thread[] = [];
    let found: readonly number[] | undefined;
    for (let position = from; position <= subject.length; position += 1) {
      this.#round += 1;
      const ready: Thread[] = [];
      for (const thread of threads) this.#follow(thread, position, subject, ready);
      if (!found) this.#follow({ at: start, slots: nothing }, position, subject, ready);
      else if (ready.length === 0) break;

      const code = subject.codes[position];
      threads = [];
      for (const thread of ready) {
        const instruction = instructions[thread.at] as Instruction;
        if (instruction.op === 'match') {
          found = thread.slots;
          if (groups === 0) return found as Match;
          break; // those behind are less preferred
        }
        if (instruction.op === 'class' && code !== undefined && instruction.class(code)) {
          threads.push({ at: instruction.next, slots: thread.slots });
        }
      }
    }
    return found as Match | undefined;
  }

  /** Adds the instructions that wait for a character, in the order of preference, and those that end the match. */
  #follow(thread: Thread, position: number, subject: Subject, ready: Thread[]): void {
    const pending: Thread[] = [thread];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { at, slots } = next;
      if (this.#reached[at] === this.#round) continue;
      this.#reached[at] = this.#round;
      this.#pay(STEP);
      const instruction = this.#program.instructions[at] as Instruction;
      switch (instruction.op) {
        case 'split':
          pending.push({ at: instruction.second, slots }, { at: instruction.first, slots });
          break;
        case 'save':
          pending.push({ at: instruction.next, slots: this.#noted(slots, instruction.slot, position) });
          break;
        case 'assert':
          if (holds(instruction.what, subject.codes, position)) pending.push({ at: instruction.next, slots });
          break;
        default:
          ready.push(next);
      }
    }
  }

  #noted(slots: readonly number[], slot: number, position: number): readonly number[] {
    if (slot >= slots.length) return slots;
    this.#pay(slots.length);
    return slots.with(slot, position);
  }

  #pay(units: number): void {
    this.#unpaid += units;
    if (this.#unpaid < PAID_AT_ONCE) return;
    this.#room.work(this.#unpaid);
    this.#unpaid = 0;
  }
}

const NEWLINE = 0x0a;

function holds(what: Assertion, codes: readonly number[], position: number): boolean {
  switch (what) {
    case 'beginText':
      return position === 0;
    case 'endText':
      return position === codes.length;
    case 'beginLine':
      return position === 0 || codes[position - 1] === NEWLINE;
    case 'endLine':
      return position === codes.length || codes[position] === NEWLINE;
    case 'wordBoundary':
      return isWord(codes[position - 1]) !== isWord(codes[position]);
    case 'noWordBoundary':
      return isWord(codes[position - 1]) === isWord(codes[position]);
  }
}

/** ASCII letters, digits and the underscore. */
function isWord(code: number | undefined): boolean {
  return code !== undefined && /\w/.test(String.fromCodePoint(code));
}
