import type { GoFunction } from '../../function.ts';
import { define } from './define.ts';
import { satisfies } from './semver/constraint.ts';
import { parseVersion, versionOf } from './semver/version.ts';

export const SEMVER: Readonly<Record<string, GoFunction>> = {
  semver: define(['string'], ([text]) => versionOf(parseVersion(text))),
  semverCompare: define(['string', 'string'], ([constraint, version], room) => satisfies(constraint, version, room)),
};
