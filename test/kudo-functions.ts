import type { GoFunction, Room } from '../src/kudo/template/function.ts';
import { BUILTINS } from '../src/kudo/template/functions/builtins.ts';
import { CRYPTO } from '../src/kudo/template/functions/sprig/crypto.ts';
import { DATES } from '../src/kudo/template/functions/sprig/dates.ts';
import { DICTS } from '../src/kudo/template/functions/sprig/dicts.ts';
import { ENCODING } from '../src/kudo/template/functions/sprig/encoding.ts';
import { FLOW } from '../src/kudo/template/functions/sprig/flow.ts';
import { LISTS } from '../src/kudo/template/functions/sprig/lists.ts';
import { MATH } from '../src/kudo/template/functions/sprig/math.ts';
import { RANDOM } from '../src/kudo/template/functions/sprig/random.ts';
import { REGEX } from '../src/kudo/template/functions/sprig/regex.ts';
import { SEMVER } from '../src/kudo/template/functions/sprig/semver.ts';
import { sprigFunctions } from '../src/kudo/template/functions/sprig/sprig-functions.ts';
import { STRINGS } from '../src/kudo/template/functions/sprig/strings.ts';
import { TYPES } from '../src/kudo/template/functions/sprig/types.ts';
import { URLS } from '../src/kudo/template/functions/sprig/url.ts';
import { GoInt, type GoIntType, GoList, type GoValue } from '../src/kudo/template/value.ts';
import { cell, code, generated } from './markdown.ts';

const groups: Readonly<Record<string, Readonly<Record<string, GoFunction>>>> = {
  Texts: STRINGS,
  'Regular expressions': REGEX,
  Numbers: MATH,
  Lists: LISTS,
  Dictionaries: DICTS,
  'Defaults and decisions': FLOW,
  Types: TYPES,
  'Encoding, JSON and YAML': ENCODING,
  Times: DATES,
  Random: RANDOM,
  'Hashes, keys and certificates': CRYPTO,
  Versions: SEMVER,
  Addresses: URLS,
};

/** The page of all functions that templates may call. */
export function functionsPage(): string {
  const all = Object.values(groups).flatMap(Object.keys);
  const missing = [...sprigFunctions.keys()].filter((name) => !all.includes(name));
  if (missing.length > 0) throw new Error(`in no group of the page of functions: ${missing.join(', ')}`);
  return [
    '# Functions of templates',
    '',
    generated,
    '',
    `Go's own, and ${sprigFunctions.size} of sprig 2.22 and KUDO, with Go's numbers and printing. They are told by the types of their arguments, in Go's`,
    'words; `…` is any number. Some are there only to say why they cannot be used.',
    '',
    '## Go’s own',
    '',
    [...BUILTINS.keys()].sort().map(code).join(', '),
    '',
    ...Object.entries(groups).flatMap(([title, functions]) => [
      `## ${title}`,
      '',
      ...(title === 'Random'
        ? ['The same for the life of an Instance: drawn from a key that a Secret of it holds.', '']
        : []),
      '| function | arguments | |',
      '| --- | --- | --- |',
      ...Object.entries(functions)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, made]) => `| ${code(name)} | ${argumentsOf(made)} | ${cell(refusalOf(made) ?? '')} |`),
      '',
    ]),
  ].join('\n');
}

function argumentsOf({ params, variadic }: GoFunction): string {
  return [...params, ...(variadic === undefined ? [] : [`${variadic} …`])].map(code).join(', ');
}

const room: Room = { random: (bytes) => new Uint8Array(bytes), charge: () => {}, work: () => {} };

/** Why a function refuses whatever it is given. */
function refusalOf({ params, call }: GoFunction): string | undefined {
  try {
    call(params.map(someOf), room);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return /needs a clock|asks the network/.test(message) ? message : undefined;
  }
}

function someOf(type: string): GoValue {
  if (/^u?int\d*$/.test(type)) return new GoInt(type as GoIntType, 1n);
  if (type === 'float64') return 1;
  if (type === 'bool') return true;
  if (type === '[]string') return new GoList('[]string', []);
  if (type.startsWith('[]')) return [];
  return type.startsWith('map') ? new Map() : '';
}
