import type { FunctionTable } from '../../function.ts';
import { CRYPTO } from './crypto.ts';
import { DATES } from './dates.ts';
import { DICTS } from './dicts.ts';
import { ENCODING } from './encoding.ts';
import { FLOW } from './flow.ts';
import { LISTS } from './lists.ts';
import { MATH } from './math.ts';
import { RANDOM } from './random.ts';
import { REGEX } from './regex.ts';
import { SEMVER } from './semver.ts';
import { STRINGS } from './strings.ts';
import { TYPES } from './types.ts';
import { URLS } from './url.ts';

/**
 * The functions of sprig 2.22 that KUDO has, and its `toYaml`. Not among them, as in KUDO: env, expandenv, base, dir,
 * clean, ext, isAbs. Those that need a clock or the network are there only to say so.
 */
export const sprigFunctions: FunctionTable = new Map(
  [STRINGS, REGEX, MATH, LISTS, DICTS, FLOW, TYPES, ENCODING, DATES, RANDOM, CRYPTO, SEMVER, URLS].flatMap((group) =>
    Object.entries(group),
  ),
);
