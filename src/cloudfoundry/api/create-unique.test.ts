import { describe, expect, it } from 'vitest';
import type { Client } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import { unprocessable } from './cf-error.ts';
import { createUnique } from './create-unique.ts';
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
  const creation = createUnique(platform, caller, kind, mine, 'Thing', { others, isSame: () => true, error });
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
