import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { realRandom } from '../clock/random.ts';
import { realClock } from '../clock/real.ts';
import { createEmbedded, type Embedded } from '../embedded/embedded.ts';
import { Client } from '../kube/client.ts';
import { kinds } from '../kube/kinds.ts';
import type { AnyObject } from '../kube/object.ts';
import { followManifest, prepareManifest } from './manifest-file.ts';
import { Spoken } from './spoken.fixture.ts';

let cluster: Embedded;
let client: Client;
const folder = mkdtempSync(join(tmpdir(), 'cutover-manifest-'));
beforeAll(async () => {
  cluster = await createEmbedded({ clock: realClock, random: realRandom, nodes: { count: 0 } });
  client = new Client(cluster.transport());
});
afterAll(async () => {
  await cluster?.close();
  rmSync(folder, { recursive: true });
});

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { is: ${data} }\n`;

/** A manifest that is followed until the test is over. */
async function follow(name: string, text: string) {
  const path = join(folder, `${name}.yaml`);
  const spoken = new Spoken();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  await prepareManifest(path, text);
  await followManifest({ path, client, clock: realClock, say: spoken.say, signal: stop.signal });
  return {
    path,
    spoken,
    /** Saves, and resolves to what is said about it. */
    save: (newer: string): Promise<string> => {
      const since = spoken.lines.length;
      writeFileSync(path, newer);
      return spoken.heard(/applied/, since);
    },
  };
}

async function dataOf(name: string): Promise<unknown> {
  const found = await client.resource<AnyObject>(kinds.configMaps).get({ namespace: 'default', name });
  return found.data;
}

describe('a manifest', () => {
  it('is written where there is none, and kept where there is one', async () => {
    const path = join(folder, 'deep', 'er', 'one.yaml');
    await prepareManifest(path, 'first');
    await prepareManifest(path, 'second');
    expect(readFileSync(path, 'utf8')).toBe('first');
  });

  it('that cannot be written or read is told in one line', async () => {
    await expect(prepareManifest(folder, '')).rejects.toThrow(/^the manifest \S+ cannot be used: EISDIR/);
    const inTheWay = join(import.meta.filename, 'x.yaml');
    await expect(prepareManifest(inTheWay, '')).rejects.toThrow(/^the manifest \S+ cannot be used: /);
  });

  it('is applied at once and whenever it is saved', async () => {
    const { path, spoken, save } = await follow('followed', configMap('followed', 'new'));
    expect(spoken.lines).toEqual([`${path} is applied`]);
    expect(await dataOf('followed')).toEqual({ is: 'new' });
    expect(await save(configMap('followed', 'newer'))).toBe(`${path} is applied`);
    expect(await dataOf('followed')).toEqual({ is: 'newer' });
  });

  it.each([
    ['that is no YAML', 'a: [1', /is not applied: .* at line 1, column \d+$/],
    [
      'with an alias of nothing',
      `${configMap('whole', 'b')}---\na: *nobody\n`,
      /is not applied: Unresolved alias .*nobody$/,
    ],
    ['that is only text', 'hello', /is not applied: each part of it needs an apiVersion, a kind and a metadata\.name$/],
    ['with a part without a name', `${configMap('whole', 'b')}---\nkind: Secret\n`, /each part of it needs/],
    [
      'with a field that nobody knows',
      `${configMap('whole', 'b')}date: {}\n`,
      /is not applied: ConfigMap whole: .*date: field not declared in schema$/,
    ],
    [
      'with a part that is refused',
      `${configMap('whole', 'b')}---\n${configMap('Not_A_Name', 'c')}`,
      /is not applied: ConfigMap Not_A_Name: .*a lowercase RFC 1123 subdomain/,
    ],
    [
      'of a kind that nobody knows',
      'apiVersion: toys.example.com/v1\nkind: Lamp\nmetadata: { name: whole }\n',
      /is not applied: Lamp whole: /,
    ],
  ])('%s is told in one line and changes nothing', async (_, broken, line) => {
    const { path, save } = await follow('broken', configMap('whole', 'a'));
    const told = await save(broken);
    expect(told).toMatch(line);
    expect(told).not.toContain('\n');
    expect(await dataOf('whole')).toEqual({ is: 'a' });
    expect(await save(configMap('whole', 'a'))).toBe(`${path} is applied`);
    rmSync(path);
  });

  it('may hold what its other parts need', async () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: made }\n---\n';
    const inIt = configMap('inside', 'x').replace('name: inside', 'name: inside, namespace: made');
    const { path, spoken } = await follow('needs', namespace + inIt);
    expect(spoken.lines).toEqual([`${path} is applied`]);
    await client.resource(kinds.configMaps).get({ namespace: 'made', name: 'inside' });
  });
});
