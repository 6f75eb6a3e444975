import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function bench(...args: string[]): Promise<Outcome> {
  const run = join(import.meta.dirname, 'run.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [run, ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

it.each([
  [['nothing'], 'there is no benchmark "nothing"; known: reflector, embedded, operator'],
  [['toString'], 'there is no benchmark "toString"; known: '],
  [
    [],
    'which benchmark? known: reflector, embedded, operator, flink, flink-node, bluegreen, cloudfoundry, kudo, ui, scale; usage: ',
  ],
  [['reflector', '--fast'], "Unknown option '--fast'"],
  [['reflector', 'embedded', '--peer', 'x'], '--peer belongs to one benchmark'],
])('says in one line what is wrong with %j', async (args, message) => {
  const { code, stdout, stderr } = await bench(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr.trimEnd()).not.toContain('\n');
});

it('runs the reflector on tiny sizes and writes its rows', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const file = join(folder, 'rows.json');
    const { code, stdout } = await bench('reflector', '--smoke', '--json', file);
    expect(code).toBe(0);
    expect(stdout).toContain('not measured');
    const rows: unknown[] = JSON.parse(await readFile(file, 'utf8'));
    expect(rows).toHaveLength(7);
    expect(rows[0]).toEqual({
      metric: 'time to sync, 200 pods',
      unit: 'ms',
      ours: expect.any(Number),
      peer: null,
      peerName: null,
      ratio: null,
      goal: '≤ 0.75×',
      holds: null,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
