import { byBytes } from '../../../format/bytes.ts';
import { FunctionFailure } from '../../../function.ts';
import { GoObject, type GoValue } from '../../../value.ts';
import { parseInt64 } from '../coerce.ts';
import { int64 } from '../define.ts';

export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
  readonly original: string;
}

const NAMES = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = new RegExp(`^v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?(?:-(${NAMES}))?(?:\\+(${NAMES}))?$`);

/** A version of one to three numbers, with a `v` before them or not. */
export function parseVersion(text: string): Version {
  const match = VERSION.exec(text);
  if (!match) throw new FunctionFailure('Invalid Semantic Version');
  const [, major = '', minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  return {
    major: segment(major),
    minor: segment(minor),
    patch: segment(patch),
    prerelease,
    metadata,
    original: text,
  };
}

export function versionText({ major, minor, patch, prerelease, metadata }: Version): string {
  return `${major}.${minor}.${patch}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`;
}

/** The version as a value in templates. */
export function versionOf(version: Version): GoObject {
  const text = versionText(version);
  const methods: Readonly<Record<string, () => GoValue>> = {
    Major: () => int64(version.major),
    Minor: () => int64(version.minor),
    Patch: () => int64(version.patch),
    Prerelease: () => version.prerelease,
    Metadata: () => version.metadata,
    Original: () => version.original,
    String: () => text,
  };
  return new GoObject({ type: '*semver.Version', text, methods: new Map(Object.entries(methods)), inner: version });
}

/** Below zero when `a` is older. Metadata does not count; a prerelease is older than what it leads to. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compare(a.major, b.major) ||
    compare(a.minor, b.minor) ||
    compare(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const [ours, theirs] = [a.split('.'), b.split('.')];
  for (let i = 0; i < Math.max(ours.length, theirs.length); i += 1) {
    const order = compareNames(ours[i] ?? '', theirs[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers by value and before names, names by their bytes, nothing before all. */
function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? -1 : 1;
  const [ours, theirs] = [number(a), number(b)];
  if (ours === undefined && theirs === undefined) return byBytes(a, b) > 0 ? 1 : -1;
  if (ours === undefined || theirs === undefined) return ours === undefined ? 1 : -1;
  return ours > theirs ? 1 : -1;
}

function number(text: string): bigint | undefined {
  if (!/^0*[0-9]{1,20}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value < 1n << 64n ? value : undefined;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function segment(text: string): bigint {
  const value = parseInt64(text, 10);
  if (value !== undefined) return value;
  throw new FunctionFailure(`Error parsing version segment: strconv.ParseInt: parsing "${text}": value out of range`);
}
