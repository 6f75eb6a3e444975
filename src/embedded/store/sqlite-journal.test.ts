import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Draft } from '../resource.ts';
import { openJournal } from './sqlite-journal.ts';
import { Store } from './store.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cutover-journal-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = async (): Promise<Store> =>
  new Store({ clock: new VirtualClock(), journal: await openJournal(directory) });
const key = (name: string) => ({ bucket: 'configmaps', namespace: 'default', name });
const draft = (name: string): Draft => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, uid: `uid-${name}`, ownerReferences: [{ uid: 'boss' }] },
});

describe('the journal', () => {
  it('brings back every object, the owners and the revision, deletions included', async () => {
    const before = await open();
    const gone = before.put(key('gone'), undefined, draft('gone'));
    before.put(key('a'), undefined, draft('a'));
    before.remove(gone, draft('gone'));
    before.close();

    const after = await open();
    expect(after.list('configmaps').map(({ name }) => name)).toEqual(['a']);
    expect(after.owned('boss').map(({ name }) => name)).toEqual(['a']);
    expect(after.revision).toBe(3);
    expect(after.compacted).toBe(3);
    expect(after.put(key('b'), undefined, draft('b')).revision).toBe(4);
    after.close();
  });

  it('keeps a second server out while the first lives', async () => {
    const first = await open();
    await expect(open()).rejects.toThrow(`${join(directory, 'cutover.db')} is in use by another process`);
    first.close();
    (await open()).close();
  });

  it('is readable by its owner only, in whatever directory', async () => {
    chmodSync(directory, 0o755);
    const store = await open();
    store.put(key('a'), undefined, draft('a'));
    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
    expect(modes.length).toBeGreaterThan(0);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    store.close();
  });

  it('says in one line that a file is not its own', async () => {
    writeFileSync(
      join(directory, 'cutover.db'),
      'this is not a database, but it is long enough to look like one'.repeat(100),
    );
    await expect(open()).rejects.toThrow(/cutover\.db is not a cutover database$/);
  });

  it('says in one line that a file is damaged', async () => {
    const store = await open();
    for (let i = 0; i < 200; i++) store.put(key(`a${i}`), undefined, draft(`a${i}`));
    store.close();
    const file = join(directory, 'cutover.db');
    truncateSync(file, Math.floor(readFileSync(file).length / 2 / 4096) * 4096);
    await expect(open()).rejects.toThrow(/cutover\.db is damaged/);
  });

  it('says in one line that the directory cannot be used', async () => {
    writeFileSync(join(directory, 'file'), '');
    await expect(openJournal(join(directory, 'file'))).rejects.toThrow(/^[^\n]+file[^\n]+$/);
  });

  it('has every acknowledged write after the process was killed in the middle of 10,000', async () => {
    const program = `
      import { openJournal } from ${JSON.stringify(import.meta.resolve('./sqlite-journal.ts'))};
      import { Store } from ${JSON.stringify(import.meta.resolve('./store.ts'))};
      import { writeSync } from 'node:fs';
      const clock = { now: () => 0, monotonic: () => 0, after: () => () => {} };
      const store = new Store({ clock, journal: await openJournal(${JSON.stringify(directory)}) });
      for (let i = 0; i < 10_000; i++) {
        const name = 'object-' + i;
        const metadata = { name, uid: name };
        const entry = store.put({ bucket: 'configmaps', namespace: 'default', name }, undefined,
          { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'x'.repeat(1000) } });
        if (i % 10 === 9) store.remove(entry, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
        writeSync(1, (i % 10 === 9 ? '-' : '+') + i + '\\n');
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', program], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const acknowledged: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(line);
      if (acknowledged.length === 4321) child.kill('SIGKILL');
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(4321);
    expect(acknowledged.length).toBeLessThan(10_000);

    const store = await open();
    const there = new Set(store.list('configmaps').map(({ name }) => name));
    for (const line of acknowledged) expect(there.has(`object-${line.slice(1)}`), line).toBe(line[0] === '+');
    store.close();
  });
});
