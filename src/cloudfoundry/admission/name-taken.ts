import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { FamilyProblem } from '../../portrait/family.ts';

/** Kinds whose names people choose, and only one may have. */
export type NamedKind = 'CFOrg' | 'CFSpace' | 'CFDomain' | 'CFRoute' | 'CFApp';

/** All objects of a kind that are known. */
export type Known = (kind: NamedKind) => Iterable<KubeObject>;

interface Uniqueness {
  readonly field: string;
  /** Whether two objects cannot both be. */
  readonly collide: (one: AnyObject, other: AnyObject) => boolean;
  /** In the words that clients look for. */
  readonly message: (object: AnyObject, known: Known) => string;
}

const uniqueness: Readonly<Record<NamedKind, Uniqueness>> = {
  CFOrg: {
    field: 'spec.displayName',
    collide: (one, other) => isSame(one, other, 'displayName'),
    message: (org) => `Organization '${textIn(org, 'displayName')}' already exists.`,
  },
  CFSpace: {
    field: 'spec.displayName',
    collide: (one, other) => areBeside(one, other) && isSame(one, other, 'displayName'),
    message: (space) => `Space '${textIn(space, 'displayName')}' already exists. Name must be unique per organization.`,
  },
  CFApp: {
    field: 'spec.displayName',
    collide: (one, other) => areBeside(one, other) && isSame(one, other, 'displayName'),
    message: (app) => `App with the name '${textIn(app, 'displayName')}' already exists.`,
  },
  CFDomain: {
    field: 'spec.name',
    collide: (one, other) => overlap(textIn(one, 'name').toLowerCase(), textIn(other, 'name').toLowerCase()),
    message: () => 'Overlapping domain exists',
  },
  CFRoute: {
    field: 'spec.host',
    collide: (one, other) =>
      domainOf(one) === domainOf(other) &&
      isSame(one, other, 'host') &&
      (textIn(one, 'path') || '/') === (textIn(other, 'path') || '/'),
    message: routeTaken,
  },
};

/** The problem of an object whose name another one has, whatever the case; none while the other is being deleted. */
export function nameTaken(object: AnyObject, known: Known): readonly FamilyProblem[] {
  const rule = Object.hasOwn(uniqueness, object.kind) ? uniqueness[object.kind as NamedKind] : undefined;
  if (!rule) return [];
  for (const other of known(object.kind as NamedKind)) {
    const { metadata } = other;
    const itself = areBeside(object, other) && metadata.name === object.metadata.name;
    if (itself || metadata.deletionTimestamp || !rule.collide(object, other as AnyObject)) continue;
    return [{ field: rule.field, rule: 'name-taken', message: rule.message(object, known) }];
  }
  return [];
}

function routeTaken(route: AnyObject, known: Known): string {
  const [host, path] = [textIn(route, 'host'), textIn(route, 'path')];
  const which = [host && `host '${host}'`, path && `path '${path}'`].filter(Boolean).join(' and ');
  const domain = [...known('CFDomain')].find(({ metadata }) => metadata.name === domainOf(route));
  const name = domain ? textIn(domain as AnyObject, 'name') : domainOf(route);
  return `Route already exists${which && ` with ${which}`} for domain '${name}'.`;
}

/** One of them is the other, or stands below it: a host of the upper one could be the lower one. */
function overlap(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

function domainOf({ spec }: AnyObject): string {
  const { domainRef } = (spec ?? {}) as { readonly domainRef?: { readonly name?: unknown } };
  return typeof domainRef?.name === 'string' ? domainRef.name : '';
}

function areBeside(one: KubeObject, other: KubeObject): boolean {
  return one.metadata.namespace === other.metadata.namespace;
}

/** Nobody has the empty name. */
function isSame(one: AnyObject, other: AnyObject, field: 'displayName' | 'host'): boolean {
  const name = textIn(one, field).toLowerCase();
  return (name !== '' || field === 'host') && name === textIn(other, field).toLowerCase();
}

function textIn({ spec }: AnyObject, field: 'displayName' | 'name' | 'host' | 'path'): string {
  const value = (spec as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof value === 'string' ? value : '';
}
