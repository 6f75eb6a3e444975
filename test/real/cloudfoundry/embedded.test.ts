import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram } from '../../program/start-program.ts';
import { Cf } from './cf.ts';
import { lifeOfAnApp, type Site } from './life-of-an-app.ts';

/** The same on a Kubernetes that is a process: what it lacks is a network between containers. */
lifeOfAnApp(async (): Promise<Site> => {
  const program = startProgram(['embedded', '--port', '0']);
  await program.says(/kubeconfig/i);
  return {
    kubeconfig: join(program.home, '.cutover', 'kubeconfig'),
    hasNetwork: false,
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
});

it('is told by cutover start what to type, and that works', { timeout: 120_000 }, async () => {
  await using program = startProgram(['start', '--port', '0', '--cf-api-port', '0']);
  await program.says(/CFApp hello is started/);
  const commands = program.output.stdout.match(/^ {4}cf .*$/gm) ?? [];
  using cf = await Cf.open({ user: 'cutover-admin', kubeconfig: join(program.home, '.cutover', 'kubeconfig') });
  for (const command of commands) {
    const [, ...words] = command.replace(/#.*/, '').trim().split(/\s+/);
    expect(await cf.run(...words), command).not.toContain('FAILED');
  }
  expect(commands.length).toBeGreaterThan(4);
});
