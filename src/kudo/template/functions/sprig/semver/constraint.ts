import { FunctionFailure, type Room } from '../../../function.ts';
import { compareVersions, parseVersion, type Version } from './version.ts';

/** A version to compare with, and which of its parts were left open: `1.x`, `1`, `*`. */
interface Constraint {
  readonly accepts: (version: Version, constraint: Constraint) => boolean;
  readonly version: Version;
  readonly isOpen: boolean;
  readonly isMinorOpen: boolean;
  readonly isPatchOpen: boolean;
}

const PART = '[0-9|xX*]+';
const NAMES = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = `v?(${PART})(\\.${PART})?(\\.${PART})?(-${NAMES})?(?:\\+${NAMES})?`;
const CONSTRAINT = new RegExp(
  `^[\\t\\n\\f\\r ]*(?:(!=|>=|=>|<=|=<|~>|=|>|<|~|\\^)[\\t\\n\\f\\r ]*)?(${VERSION})[\\t\\n\\f\\r ]*$`,
);
const RANGE = new RegExp(
  `[\\t\\n\\f\\r ]*(${VERSION})[\\t\\n\\f\\r ]+-[\\t\\n\\f\\r ]+(${VERSION})[\\t\\n\\f\\r ]*`,
  'g',
);

/** Characters. A range may begin anywhere, so looking for them takes the square of the time. */
const LONGEST = 1000;

/** Whether a version is within a constraint: alternatives by `||`, conditions by commas, ranges by ` - `. */
export function satisfies(constraint: string, text: string, room: Pick<Room, 'work'>): boolean {
  if (constraint.length > LONGEST) throw new FunctionFailure(`constraint is longer than ${LONGEST} characters`);
  room.work(constraint.length ** 2);
  const alternatives = withoutRanges(constraint)
    .split('||')
    .map((alternative) => alternative.split(',').map(parseConstraint));
  const version = parseVersion(text);
  return alternatives.some((conditions) => conditions.every((one) => one.accepts(version, one)));
}

function withoutRanges(text: string): string {
  return text.replace(RANGE, (_whole, ...groups: string[]) => `>= ${groups[0]}, <= ${groups[5]}`);
}

function parseConstraint(text: string): Constraint {
  const match = CONSTRAINT.exec(text);
  if (!match) throw new FunctionFailure(`improper constraint: ${text}`);
  const [, operator = '', whole = '', major = '', minor = '', patch = '', prerelease = ''] = match;
  const isAny = isOpenPart(major);
  const isMinorOpen = !isAny && (minor === '' || isOpenPart(minor.slice(1)));
  const isPatchOpen = !isAny && !isMinorOpen && isOpenPart(patch.slice(1));
  const closed = isAny
    ? '0.0.0'
    : isMinorOpen
      ? `${major}.0.0${prerelease}`
      : isPatchOpen
        ? `${major}${minor}.0${prerelease}`
        : whole;
  return {
    accepts: OPERATORS.get(operator) as Constraint['accepts'],
    version: closedVersion(closed),
    isOpen: isAny || isMinorOpen || isPatchOpen,
    isMinorOpen,
    isPatchOpen,
  };
}

function isOpenPart(part: string): boolean {
  return part === 'x' || part === 'X' || part === '*';
}

function closedVersion(text: string): Version {
  try {
    return parseVersion(text);
  } catch {
    throw new FunctionFailure('constraint Parser Error');
  }
}

/** Prereleases are only for constraints that name one. */
function released(accepts: Constraint['accepts']): Constraint['accepts'] {
  return (version, one) => (version.prerelease === '' || one.version.prerelease !== '') && accepts(version, one);
}

const tilde = released((version, { version: least, isMinorOpen, isPatchOpen }) => {
  if (compareVersions(version, least) < 0) return false;
  const isZero = least.major === 0n && least.minor === 0n && least.patch === 0n;
  if (isZero && !isMinorOpen && !isPatchOpen) return true;
  return version.major === least.major && (version.minor === least.minor || isMinorOpen);
});

const caret = released(
  (version, { version: least }) => compareVersions(version, least) >= 0 && version.major === least.major,
);

const equal = released((version, one) =>
  one.isOpen ? tilde(version, one) : compareVersions(version, one.version) === 0,
);

const unequal: Constraint['accepts'] = (version, one) => {
  if (!one.isOpen) return compareVersions(version, one.version) !== 0;
  if (version.prerelease !== '' && one.version.prerelease === '') return false;
  if (version.major !== one.version.major) return true;
  return version.minor !== one.version.minor && !one.isMinorOpen;
};

const greater = released((version, one) => compareVersions(version, one.version) > 0);
const notLess = released((version, one) => compareVersions(version, one.version) >= 0);
const less = below((order) => order < 0);
const notGreater = below((order) => order <= 0);

/** With an open part, the bound is all that begins with the other parts, for `<` as for `<=`. */
function below(fits: (order: number) => boolean): Constraint['accepts'] {
  return released((version, { version: bound, isOpen, isMinorOpen }) => {
    if (!isOpen) return fits(compareVersions(version, bound));
    return version.major <= bound.major && (version.minor <= bound.minor || isMinorOpen);
  });
}

const OPERATORS: ReadonlyMap<string, Constraint['accepts']> = new Map([
  ['', equal],
  ['=', equal],
  ['!=', unequal],
  ['>', greater],
  ['<', less],
  ['>=', notLess],
  ['=>', notLess],
  ['<=', notGreater],
  ['=<', notGreater],
  ['~', tilde],
  ['~>', tilde],
  ['^', caret],
]);
