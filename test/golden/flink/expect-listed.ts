import { expect } from 'vitest';
import { type Compared, differences } from './differences.ts';
import { areOurs } from './load.ts';

/** A difference that a comparison has found. */
export interface Found {
  readonly case: string;
  /** In the words that the table of differences uses. */
  readonly where: string;
  /** What was recorded and what came instead, for the person who reads the failure. */
  readonly detail: string;
}

/** Fails on every difference that `differences.ts` does not list, and on every entry of it that was not found. */
export function expectListed(what: Compared, found: readonly Found[]): void {
  const listed = differences.filter((one) => one.what === what && !(one.elsewhere && areOurs));
  const matches = (one: (typeof listed)[number], other: Found) =>
    one.where === other.where && (one.case === '*' || one.case === other.case);
  const unlisted = found.filter((one) => !listed.some((entry) => matches(entry, one)));
  const stale = areOurs ? listed.filter((entry) => !found.some((one) => matches(entry, one))) : [];
  expect(unlisted, `${what}: differences that are not listed`).toEqual([]);
  expect(stale, `${what}: listed differences that no longer occur`).toEqual([]);
}
