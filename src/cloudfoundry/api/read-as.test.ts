import { describe, expect, it } from 'vitest';
import { Client } from '../../kube/client.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import type { AnyObject, JsonObject } from '../../kube/object.ts';
import { cfApp } from '../resources/cf-app.ts';
import { unprocessable } from './cf-error.ts';
import type { Caller, Platform } from './platform.ts';
import { createAs, deleteAs, patchAs, readAs } from './read-as.ts';

type App = AnyObject & { readonly spec: { readonly count: number } };

/** A server with one app, whose version `others` moves on so many times before a write comes through. */
function world(options: { readonly others?: number; readonly refuse?: number } = {}) {
  let others = options.others ?? 0;
  let version = 1;
  const writes: JsonObject[] = [];
  const wrote: AnyObject[] = [];
  const object = (): App => ({
    apiVersion: cfApp.apiVersion,
    kind: 'CFApp',
    metadata: { name: 'app-1', namespace: 'space-1', uid: 'u', resourceVersion: String(version) },
    spec: { count: version },
  });
  const transport = inProcess(async ({ method, path, body }) => {
    if (options.refuse && method !== 'GET') return answer(options.refuse, status(options.refuse));
    if (method !== 'PATCH' || path.includes('dryRun=All')) return answer(200, object());
    const patch = JSON.parse(String(body)) as JsonObject;
    if (others > 0) {
      others--;
      version++;
    }
    const { resourceVersion } = patch.metadata as { readonly resourceVersion: string };
    if (resourceVersion !== String(version)) return answer(409, status(409));
    writes.push(patch);
    version++;
    return answer(200, object());
  });
  const caller: Caller = { name: 'alice', kind: 'User', groups: [], client: new Client(transport) };
  const platform = {
    directory: { namespaceOf: async (_: unknown, guid: string) => (guid === 'app-1' ? 'space-1' : undefined) },
    wrote: (_: unknown, one: AnyObject) => void wrote.push(one),
  } as unknown as Platform;
  return { caller, platform, writes, wrote };
}

function status(code: number): object {
  const reason = code === 409 ? 'Conflict' : 'Any';
  return { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code, reason, message: 'no' };
}

function answer(code: number, body: object) {
  return {
    status: code,
    headers: {},
    body: (async function* () {
      yield Buffer.from(JSON.stringify(body));
    })(),
  };
}

describe('objects with the rights of the caller', () => {
  it('are read where the directory knows them to be', async () => {
    const { platform, caller } = world();
    expect(await readAs<App>(platform, caller, cfApp, 'app-1', 'App')).toMatchObject({ spec: { count: 1 } });
    await expect(readAs(platform, caller, cfApp, 'app-2', 'App')).rejects.toMatchObject({ detail: 'App not found' });
  });

  it('are changed on the version that was decided on, and decided anew when somebody was faster', async () => {
    const { platform, caller, writes, wrote } = world({ others: 3 });
    const app = await readAs<App>(platform, caller, cfApp, 'app-1', 'App');
    const seen: number[] = [];
    const changed = await patchAs(
      platform,
      caller,
      cfApp,
      app,
      ({ spec }) => {
        seen.push(spec.count);
        return { metadata: { labels: { a: 'b' } }, spec: { count: spec.count + 1 } };
      },
      'App',
    );
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(writes).toEqual([{ metadata: { labels: { a: 'b' }, uid: 'u', resourceVersion: '4' }, spec: { count: 5 } }]);
    expect(wrote).toEqual([changed]);
  });

  it('are not written when there is nothing to change', async () => {
    const { platform, caller, writes } = world();
    const app = await readAs<App>(platform, caller, cfApp, 'app-1', 'App');
    expect(await patchAs(platform, caller, cfApp, app, () => undefined, 'App')).toBe(app);
    expect(writes).toEqual([]);
  });

  it('are not shown to be right to whoever may not write them', async () => {
    const { platform, caller } = world({ refuse: 403 });
    const app = await readAs<App>(platform, caller, cfApp, 'app-1', 'App');
    const patching = (decide: () => undefined) => patchAs(platform, caller, cfApp, app, decide, 'App');
    await expect(patching(() => undefined)).rejects.toMatchObject({ status: 403 });
    const refuse = () => {
      throw unprocessable('it cannot be');
    };
    await expect(patching(refuse)).rejects.toMatchObject({ status: 403 });
  });

  it('are left alone when the decision is to refuse', async () => {
    const { platform, caller, writes } = world({ others: 1 });
    const app = await readAs<App>(platform, caller, cfApp, 'app-1', 'App');
    const decide = ({ spec }: App) => {
      if (spec.count > 1) throw unprocessable('too late');
      return { spec: { count: 9 } };
    };
    await expect(patchAs(platform, caller, cfApp, app, decide, 'App')).rejects.toMatchObject({ detail: 'too late' });
    expect(writes).toEqual([]);
  });

  it('are given up when others never leave them alone', async () => {
    const { platform, caller } = world({ others: 1000 });
    const app = await readAs<App>(platform, caller, cfApp, 'app-1', 'App');
    const patching = patchAs(platform, caller, cfApp, app, () => ({ spec: { count: 9 } }), 'App');
    await expect(patching).rejects.toMatchObject({ status: 503 });
  });

  it.each([403, 404, 422])('are not made when Kubernetes answers %d', async (refuse) => {
    const { platform, caller, wrote } = world({ refuse });
    const made = createAs(platform, caller, cfApp, await readAs<App>(platform, caller, cfApp, 'app-1', 'App'), 'App');
    await expect(made).rejects.toMatchObject({ status: refuse });
    expect(wrote).toEqual([]);
  });

  it('may be gone already when they are deleted', async () => {
    const { platform, caller } = world({ refuse: 404 });
    const app = await readAs<App>(platform, caller, cfApp, 'app-1', 'App');
    await expect(deleteAs(caller, cfApp, app, 'App')).resolves.toBeUndefined();
    const { caller: other } = world({ refuse: 403 });
    await expect(deleteAs(other, cfApp, app, 'App')).rejects.toMatchObject({ status: 403 });
  });
});
