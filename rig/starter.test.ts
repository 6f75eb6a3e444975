import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';

/** A process that says when it is watching, and when whoever started it is gone. */
const WATCHER = `
  const { onStarterGone } = await import(${JSON.stringify(new URL('./starter.ts', import.meta.url).href)});
  onStarterGone(() => console.log('gone'));
  console.log('watching');`;

/** Runs a shell script in which `watcher` starts the watcher, kills the script's shell, and returns what the watcher said. */
async function saidWhenKilled(script: string, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const shell = spawn('sh', ['-c', script], {
    env: { ...process.env, ...env, NODE: process.execPath, CODE: WATCHER },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  for await (const line of createInterface({ input: shell.stdout })) {
    said.push(line);
    if (line === 'watching') shell.kill('SIGKILL');
  }
  return said;
}

const watcher = '"$NODE" --input-type=module -e "$CODE"';

describe.runIf(process.platform === 'linux')('whoever started a process', () => {
  it('is missed when it was the parent', async () => {
    expect(await saidWhenKilled(`${watcher}; exit`, {})).toEqual(['watching', 'gone']);
  });

  it('is missed when it was npm, although the shell between them is alive', async () => {
    const asNpm = 'printf npm >/proc/$$/comm';
    const script = `${asNpm}; sh -c '${watcher}; exit'; exit`;
    expect(await saidWhenKilled(script, { npm_lifecycle_event: 'rig' })).toEqual(['watching', 'gone']);
  });
});
