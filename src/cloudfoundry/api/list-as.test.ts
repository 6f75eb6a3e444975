import { describe, expect, it } from 'vitest';
import { Client } from '../../kube/client.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cfApp } from '../resources/cf-app.ts';
import { type ListScope, listAs } from './list-as.ts';
import type { Caller, Platform } from './platform.ts';

interface World {
  /** Spaces in which the caller has a role. */
  readonly spaces: readonly string[];
  readonly everywhere?: boolean;
  /** Paths that RBAC refuses. */
  readonly forbidden?: RegExp;
  readonly broken?: boolean;
}

/** A server with an app in each of space-0 to space-29, and one in kube-system. */
function world({ spaces, everywhere = false, forbidden, broken }: World) {
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  const transport = inProcess(async ({ path }) => {
    const decoded = decodeURIComponent(path);
    asked.push(decoded.replace('/apis/korifi.cloudfoundry.org/v1alpha1', ''));
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    if (broken) return answer(500, {});
    if (forbidden?.test(decoded)) return answer(403, {});
    const [, namespace] = /namespaces\/([^/]+)/.exec(decoded) ?? [];
    const all = [...Array.from({ length: 30 }, (_, at) => `space-${at}`), 'kube-system'];
    const items = all.filter((one) => !namespace || one === namespace).map(app);
    return answer(200, { apiVersion: 'v1', kind: 'List', metadata: {}, items });
  });
  const caller: Caller = { name: 'alice', kind: 'User', groups: [], client: new Client(transport) };
  const directory = { spaces: () => spaces.map((guid) => ({ guid, orgGuid: 'org' })), everywhere: () => everywhere };
  const list = async (scope?: ListScope) => {
    const found = await listAs<KubeObject>({ directory } as unknown as Platform, caller, cfApp, scope);
    return found.map(({ metadata }) => metadata.namespace);
  };
  return { list, asked, most: () => most };
}

function app(namespace: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'CFApp',
    metadata: { name: `app-in-${namespace}`, namespace, labels: { is: namespace } },
  };
}

function answer(status: number, body: object) {
  return {
    status,
    headers: {},
    body: (async function* () {
      yield Buffer.from(JSON.stringify(body));
    })(),
  };
}

const many = Array.from({ length: 30 }, (_, at) => `space-${at}`);

describe('lists with the rights of the caller', () => {
  it('ask once per space, and never for more than a few at once', async () => {
    const { list, asked, most } = world({ spaces: many });
    expect(await list()).toEqual(many);
    expect(asked).toHaveLength(30);
    expect(most()).toBeLessThanOrEqual(8);
  });

  it('ask once when one space is asked for, and not for one that is none of his', async () => {
    const { list, asked } = world({ spaces: ['space-1', 'space-2'] });
    expect(await list({ spaces: ['space-2', 'space-3'] })).toEqual(['space-2']);
    expect(asked).toEqual(['/namespaces/space-2/cfapps']);
  });

  it('ask once in all for who has a role everywhere, and show nothing outside of spaces', async () => {
    const { list, asked } = world({ spaces: many, everywhere: true });
    expect(await list()).toEqual(many);
    expect(asked).toEqual(['/cfapps']);
  });

  it('go from space to space when that role does not allow to list', async () => {
    const { list, asked } = world({ spaces: ['space-1', 'space-2'], everywhere: true, forbidden: /v1alpha1\/cfapps/ });
    expect(await list()).toEqual(['space-1', 'space-2']);
    expect(asked).toHaveLength(3);
  });

  it('find nothing where the caller may not look', async () => {
    const { list } = world({ spaces: ['space-1', 'space-2'], forbidden: /space-1\// });
    expect(await list()).toEqual(['space-2']);
  });

  it('fail when the server does, instead of showing a part', async () => {
    await expect(world({ spaces: ['space-1'], broken: true }).list()).rejects.toMatchObject({ status: 503 });
  });

  it('let the server choose by labels', async () => {
    const { list, asked } = world({ spaces: ['space-1'] });
    await list({ labels: { is: ['a', 'b'], other: undefined } });
    expect(asked).toEqual(['/namespaces/space-1/cfapps?labelSelector=is in (a,b)']);
  });

  it('choose themselves where the selector would be too long', async () => {
    const { list, asked } = world({ spaces: ['space-1', 'space-2'] });
    const values = ['space-2', ...Array.from({ length: 200 }, (_, at) => `x${at}`)];
    expect(await list({ labels: { is: values } })).toEqual(['space-2']);
    expect(asked[0]).toBe('/namespaces/space-1/cfapps');
  });

  it.each(['a b', 'a,b=c', ')'])('do not ask for %j, which no label can hold', async (value) => {
    const { list, asked } = world({ spaces: ['space-1'] });
    expect(await list({ labels: { is: [value] } })).toEqual([]);
    expect(asked).toEqual([]);
  });
});
