import { instance } from './instance.ts';
import { operator } from './operator.ts';
import { operatorVersion } from './operator-version.ts';

/** All kinds of the family. */
export const kudoKinds = [operator, operatorVersion, instance] as const;
