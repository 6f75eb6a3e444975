import type { GoFunction, Room } from '../../function.ts';
import { define } from './define.ts';
import { expand } from './regex/expand.ts';
import { GoRegexp } from './regex/regexp.ts';
import { compileFailure, RegexSyntaxError } from './regex/syntax-error.ts';
import { NIL_STRINGS, strings } from './slices.ts';

/** Units of work for each character of what is put in place of a match. */
const EXPANDING = 20;

/** Regular expressions with the syntax and the meaning of Go. What they do is paid for, also where nothing comes out. */
export const REGEX: Readonly<Record<string, GoFunction>> = {
  regexFind: define(['string', 'string'], ([source, text], room) => regexp(source, room).find(text) ?? ''),
  regexFindAll: define(['string', 'string', 'int'], ([source, text, most], room) => {
    const all = regexp(source, room).findAll(text, most);
    return all.length === 0 ? NIL_STRINGS : strings(all);
  }),
  regexMatch: define(['string', 'string'], ([source, text], room) => matches(source, text, room)),
  regexReplaceAll: define(['string', 'string', 'string'], ([source, text, template], room) =>
    regexp(source, room).replaceAll(text, (group) => {
      room.work(template.length * EXPANDING);
      return charged(expand(template, group), room);
    }),
  ),
  regexReplaceAllLiteral: define(['string', 'string', 'string'], ([source, text, replacement], room) =>
    regexp(source, room).replaceAll(text, () => charged(replacement, room)),
  ),
  regexSplit: define(['string', 'string', 'int'], ([source, text, most], room) => {
    const parts = regexp(source, room).split(text, most);
    return parts ? strings(parts) : NIL_STRINGS;
  }),
};

function regexp(source: string, room: Room): GoRegexp {
  try {
    return new GoRegexp(source, room);
  } catch (error) {
    throw error instanceof RegexSyntaxError ? compileFailure(source, error) : error;
  }
}

/** An expression that is none matches nothing, without a word: sprig ignores the error. */
function matches(source: string, text: string, room: Room): boolean {
  try {
    return new GoRegexp(source, room).matches(text);
  } catch (error) {
    if (error instanceof RegexSyntaxError) return false;
    throw error;
  }
}

function charged(text: string, room: Room): string {
  room.charge(text.length);
  return text;
}
