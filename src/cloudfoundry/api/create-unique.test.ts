import { describe, expect, it } from 'vitest';
import type { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import { unprocessable } from './cf-error.ts';
import { createUnique, renameUnique } from './create-unique.ts';
import type { Caller, Platform } from './platform.ts';

const kind = {
  type: { group: 'g', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true },
};
const at = '2026-11-01T10:00:00Z';
const writer = { manager: 'cf', operation: 'Update' } as const;

function thing(name: string, resourceVersion: string, touched = false, creationTimestamp = at): KubeObject {
  const managedFields = touched ? [writer, writer] : [writer];
  return {
    apiVersion: 'g/v1',
    kind: 'Thing',
    metadata: { name, uid: name, namespace: 'n', resourceVersion, creationTimestamp, managedFields },
  };
}

/** Creates `mine` at version 10, and says whether it stays beside a rival that is seen afterwards. */
async function stays(rival: KubeObject): Promise<boolean> {
  const mine = thing('mine', '10');
  let deleted = false;
  const resource = {
    create: async () => mine,
    delete: async () => {
      deleted = true;
    },
  };
  const caller = { client: { resource: () => resource } as unknown as Client } as Caller;
  const platform = { wrote: () => {} } as unknown as Platform;
  let looks = 0;
  const others = async (): Promise<readonly KubeObject[]> => (looks++ === 0 ? [] : [mine, rival]);
  const error = () => unprocessable('taken');
  const creation = createUnique(platform, caller, kind, mine, 'Thing', { key: 'k', others, isSame: () => true, error });
  await creation.catch(() => undefined);
  return !deleted;
}

describe('of two that are made at once', () => {
  it.each([
    ['one that was there before', thing('a', '9'), false],
    ['one that came later, whatever its name', thing('a', '11'), true],
    ['one of an earlier second that was touched since', thing('a', '11', true, '2026-11-01T09:59:59Z'), false],
    ['one of a later second', thing('a', '11', true, '2026-11-01T10:00:01Z'), true],
    ['one of the same second of which nothing can be told', thing('z', '11', true), false],
    ['one that was there before, by number and not by letters', thing('z', '9'), false],
  ])('ours gives way to %s: %s', async (_what, rival, expected) => {
    expect(await stays(rival)).toBe(expected);
  });
});

/** Things by their names, as a cluster holds them; every request takes a while. */
function cluster(names: Readonly<Record<string, string>> = {}) {
  type Named = KubeObject & { readonly spec: { readonly name: string } };
  const held = new Map<string, Named>();
  let version = 10;
  const put = (uid: string, name: string): Named => {
    const object = { ...thing(uid, String(++version), true), spec: { name } };
    held.set(uid, object);
    return object;
  };
  for (const [uid, name] of Object.entries(names)) put(uid, name);
  const hurry = { afterWrite: () => {}, mayWrite: true };
  const later = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  const resource = {
    create: async ({ metadata, spec }: Named, options?: { dryRun?: boolean }) => {
      await later();
      return options?.dryRun ? undefined : put(metadata.uid ?? '', spec.name);
    },
    patch: async ({ name: uid }: { name: string }, { body }: { body: Named }, options?: { dryRun?: boolean }) => {
      await later();
      if (!hurry.mayWrite) throw new KubeError('forbidden', 'no');
      if (options?.dryRun) return undefined;
      const patched = put(uid, body.spec.name);
      hurry.afterWrite();
      return patched;
    },
    delete: async ({ name: uid }: { name: string }) => {
      await later();
      held.delete(uid);
    },
  };
  const caller = { client: { resource: () => resource } as unknown as Client } as Caller;
  const platform = { wrote: () => {} } as unknown as Platform;
  const unique = (name: string) => ({
    key: name,
    others: async () => {
      await later();
      return [...held.values()];
    },
    isSame: ({ spec }: Named) => spec.name === name,
    error: () => unprocessable('taken'),
  });
  const create = (uid: string, name: string) =>
    createUnique(platform, caller, kind, { ...thing(uid, '0'), spec: { name } } as Named, 'Thing', unique(name));
  const rename = (uid: string, name: string) =>
    renameUnique(platform, caller, kind, held.get(uid) as Named, 'Thing', {
      ...unique(name),
      change: () => ({ spec: { name } }),
      back: ({ spec }) => ({ spec: { name: spec.name } }),
    });
  const nameOf = (uid: string) => held.get(uid)?.spec.name;
  return {
    create,
    rename,
    nameOf,
    put,
    hurry,
    count: (name: string) => [...held.values()].filter(unique(name).isSame).length,
  };
}

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  );

describe('a name within one process', () => {
  it('goes to the first of several who create it at once', async () => {
    const { create, count } = cluster();
    const made = ['a', 'b', 'c'].map((uid) => outcome(create(uid, 'x')));
    expect(await Promise.all(made)).toEqual(['done', 'taken', 'taken']);
    expect(count('x')).toBe(1);
  });

  it('goes to one of those who want it for what is there, or for something new', async () => {
    const { create, rename, count } = cluster({ a: 'one', b: 'two' });
    const wanted = [rename('a', 'x'), rename('b', 'x'), create('c', 'x')].map(outcome);
    expect((await Promise.all(wanted)).filter((result) => result === 'done')).toHaveLength(1);
    expect(count('x')).toBe(1);
  });
});

describe('a new name for what is there', () => {
  it('is given back when another replica gave it away at the same time', async () => {
    const { rename, nameOf, put, hurry } = cluster({ a: 'one' });
    hurry.afterWrite = () => put('theirs', 'x');
    expect(await outcome(rename('a', 'x'))).toBe('taken');
    expect(nameOf('a')).toBe('one');
  });

  it('is not told to be taken to who may not give it', async () => {
    const { rename, hurry } = cluster({ a: 'one', b: 'x' });
    hurry.mayWrite = false;
    expect(await outcome(rename('a', 'x'))).toMatch(/^You are not authorized/);
  });
});
