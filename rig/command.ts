import { spawn } from 'node:child_process';

export interface CommandOptions {
  readonly cwd?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to the command's standard input. */
  readonly input?: string;
}

/**
 * Runs a command to its end and returns what it printed. It is killed when this process dies.
 *
 * Errors: rejects with the last lines of its error output when it exits with another code than 0.
 */
export function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const [program, programArgs] = endingWithUs(command, args);
    const child = spawn(program, programArgs, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-8000);
    });
    child.stdin.on('error', () => {}); // the command did not want its input
    child.stdin.end(options.input ?? '');
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const tail = errors.trimEnd().split('\n').slice(-15).join('\n');
      reject(new Error(`${command} ${args.slice(0, 3).join(' ')}: ${signal ?? `exit code ${code}`}\n${tail}`));
    });
  });
}

/**
 * The command line that runs a program so that the kernel kills it when its parent dies, however that happens.
 *
 * Assumption: the caller spawns it from its main thread; the kernel watches the spawning thread.
 */
export function endingWithUs(command: string, args: readonly string[]): [string, string[]] {
  return ['setpriv', ['--pdeathsig', 'KILL', '--', command, ...args]];
}
