import { redirected } from './redirected.ts';
import { commands } from './shell-commands.ts';
import { parseScript, type Statement } from './shell-parser.ts';
import { ShellExit, type ShellState, type ShellWorld } from './shell-state.ts';

const longestWord = 1024 * 1024;

/** A loop without a pause would never let go of the process: after this many steps it takes a breath. */
const breathEvery = 1000;

/**
 * Runs a script of a very small shell: commands with `;`, `&&`, `||`, newlines, `while …; do …; done`, `for … in …`,
 * `if …; then …; else …; fi`, variables, quotes, and output into files (`>`, `>>`, `2>`). No pipes, no background jobs.
 * Resolves to the exit code, and never rejects: whatever goes wrong is said on standard error.
 */
export async function runScript(script: string, world: ShellWorld): Promise<number> {
  const state: ShellState = { ...world, variables: new Map(Object.entries(world.env)) };
  let program: readonly Statement[];
  try {
    program = parseScript(script);
  } catch (error) {
    world.write('stderr', `sh: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  let steps = 0;
  const breathe = async (): Promise<void> => {
    if (++steps % breathEvery === 0) await world.pause(1000);
  };
  try {
    return await runAll(program, state, breathe);
  } catch (error) {
    if (error instanceof ShellExit) return error.code;
    world.write('stderr', `sh: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function runAll(
  statements: readonly Statement[],
  state: ShellState,
  breathe: () => Promise<void>,
): Promise<number> {
  let code = 0;
  for (const statement of statements) {
    code = await run(statement, state, breathe);
    state.variables.set('?', String(code));
  }
  return code;
}

async function run(statement: Statement, state: ShellState, breathe: () => Promise<void>): Promise<number> {
  await breathe();
  switch (statement.kind) {
    case 'command':
      return redirected(
        statement.redirections.map((one) => ({ ...one, to: expand(one.to, state.variables) })),
        state,
        (inside) =>
          runCommand(
            statement.words.map((word) => expand(word, state.variables)),
            inside,
          ),
      );
    case 'and':
    case 'or': {
      const code = await run(statement.left, state, breathe);
      state.variables.set('?', String(code));
      return (code === 0) === (statement.kind === 'and') ? run(statement.right, state, breathe) : code;
    }
    case 'while':
      while ((await runAll(statement.test, state, breathe)) === 0) {
        await runAll(statement.body, state, breathe);
        await breathe();
      }
      return 0;
    case 'for': {
      let code = 0;
      for (const word of statement.words) {
        state.variables.set(statement.name, expand(word, state.variables));
        code = await runAll(statement.body, state, breathe);
      }
      return code;
    }
    case 'if': {
      const holds = (await runAll(statement.test, state, breathe)) === 0;
      return runAll(holds ? statement.yes : statement.no, state, breathe);
    }
    default:
      return statement satisfies never;
  }
}

async function runCommand(words: readonly string[], state: ShellState): Promise<number> {
  const [name, ...args] = words;
  if (name === undefined) return 0;
  const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(name);
  if (assignment && args.length === 0) {
    state.variables.set(assignment[1] ?? '', assignment[2] ?? '');
    return 0;
  }
  const command = commands.get(name.replace(/^\/(usr\/)?s?bin\//, ''));
  if (!command) {
    state.write('stderr', `sh: ${name}: not found\n`);
    return 127;
  }
  return command(args, state);
}

/** Replaces `$NAME` and `${NAME}`; text between marks of single quotes is left alone. */
function expand(word: string, variables: ReadonlyMap<string, string>): string {
  const expanded = word
    .split('\0')
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(/\$(?:\{(\w+|\?)\}|(\w+|\?))/g, (_, braced, bare) => variables.get(braced ?? bare) ?? ''),
    )
    .join('');
  // A script that doubles a word again and again must end before the memory of us all does.
  if (expanded.length > longestWord) throw new Error('out of memory');
  return expanded;
}
