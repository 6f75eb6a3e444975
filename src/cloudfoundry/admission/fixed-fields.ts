import { isObject } from '../../change/equal.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { FamilyProblem } from '../../portrait/family.ts';

interface FixedField {
  readonly kind: string;
  /** Below `spec`. */
  readonly path: readonly string[];
  /** What it is when nobody says it. */
  readonly usual?: string;
  /** What to do instead. */
  readonly instead: string;
}

const otherRoute = 'Make a new route, map it, and delete this one.';

/** What stays as it was when the object was made. */
const fixed: readonly FixedField[] = [
  { kind: 'CFApp', path: ['lifecycle', 'type'], instead: 'Make a new app with the other type.' },
  { kind: 'CFProcess', path: ['processType'], instead: 'Make a process of the other type.' },
  { kind: 'CFPackage', path: ['type'], instead: 'Make a new package.' },
  { kind: 'CFDomain', path: ['name'], instead: 'Make a new domain, and delete this one.' },
  { kind: 'CFRoute', path: ['host'], instead: otherRoute },
  { kind: 'CFRoute', path: ['path'], instead: otherRoute },
  { kind: 'CFRoute', path: ['protocol'], usual: 'http', instead: otherRoute },
  { kind: 'CFRoute', path: ['domainRef', 'name'], instead: otherRoute },
];

/** Fields that an edit changes although they never change. */
export function fixedFields(before: AnyObject, after: AnyObject): readonly FamilyProblem[] {
  return fixed.flatMap(({ kind, path, usual = '', instead }) => {
    if (kind !== after.kind) return [];
    const [was, is] = [at(before.spec, path) || usual, at(after.spec, path) || usual];
    if (was === is) return [];
    const field = `spec.${path.join('.')}`;
    const message = `${field}: it is ${JSON.stringify(was)} and cannot become ${JSON.stringify(is)}: it never changes. ${instead}`;
    return [{ field, rule: 'fixed-field', message }];
  });
}

/** The text at a path. One that is empty is none. */
function at(value: unknown, path: readonly string[]): string {
  let found = value;
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return typeof found === 'string' ? found : '';
}
