import { timestamp } from '../timestamp.ts';
import { parseDuration } from './duration.ts';
import { type Command, ShellExit, type ShellState } from './shell-state.ts';
import { stat } from './stat.ts';
import { tar } from './tar.ts';

const cat: Command = async (args, state) => {
  if (args.length === 0) {
    state.write('stdout', await state.readInput());
    return 0;
  }
  let code = 0;
  for (const path of args) {
    const content = state.files.read(path);
    if (content) state.write('stdout', content);
    else {
      state.write('stderr', `cat: can't open '${path}': No such file or directory\n`);
      code = 1;
    }
  }
  return code;
};

const ls: Command = (args, state) => {
  const paths = args.filter((one) => !one.startsWith('-'));
  let code = 0;
  for (const path of paths.length > 0 ? paths : ['/']) {
    const names = state.files.list(path);
    if (names) state.write('stdout', names.map((name) => `${name}\n`).join(''));
    else if (state.files.read(path)) state.write('stdout', `${path}\n`);
    else {
      state.write('stderr', `ls: ${path}: No such file or directory\n`);
      code = 1;
    }
  }
  return code;
};

const echo: Command = (args, state) => {
  const bare = args[0] === '-n';
  const words = args.filter((one, index) => !(index === 0 && /^-[ne]+$/.test(one)));
  state.write('stdout', words.join(' ') + (bare ? '' : '\n'));
  return 0;
};

const printf: Command = ([format = '', ...args], state) => {
  const left = [...args];
  const filled = format.replace(/%[sd]|\\n|\\t|%%/g, (part) => {
    if (part === '\\n') return '\n';
    if (part === '\\t') return '\t';
    return part === '%%' ? '%' : (left.shift() ?? '');
  });
  state.write('stdout', filled);
  return 0;
};

const sleep: Command = async ([amount = ''], state) => {
  const ms = parseDuration(amount);
  if (ms === undefined) {
    state.write('stderr', `sleep: invalid number '${amount}'\n`);
    return 1;
  }
  await state.pause(ms);
  return 0;
};

const date: Command = (args, state) => {
  const now = new Date(state.clock.now());
  const [weekday = '', day = '', month = '', year = '', time = ''] = now.toUTCString().replace(',', '').split(' ');
  if (args[0] === '+%s') return say(state, String(Math.floor(now.getTime() / 1000)));
  if (args.length > 0) return say(state, timestamp(now.getTime()));
  return say(state, `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} UTC ${year}`);
};

const test: Command = (args, { files }) => {
  const [a = '', operator, b] = args.filter((one) => one !== ']');
  switch (operator) {
    case '=':
    case '==':
      return a === b ? 0 : 1;
    case '!=':
      return a !== b ? 0 : 1;
    default:
      if (a === '-f') return files.read(operator ?? '') ? 0 : 1;
      if (a === '-d') return files.list(operator ?? '') ? 0 : 1;
      if (a === '-e') return files.read(operator ?? '') || files.list(operator ?? '') ? 0 : 1;
      if (a === '-n') return operator ? 0 : 1;
      if (a === '-z') return operator ? 1 : 0;
      return a ? 0 : 1;
  }
};

const exit: Command = ([code = '0']) => {
  throw new ShellExit(Number(code) & 255);
};

/** The commands of the small shell, by name. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['true', () => 0],
  [':', () => 0],
  ['false', () => 1],
  ['cat', cat],
  ['ls', ls],
  ['stat', stat],
  ['tar', tar],
  // A folder is there as soon as something is in it.
  ['mkdir', () => 0],
  ['echo', echo],
  ['printf', printf],
  ['sleep', sleep],
  ['date', date],
  ['test', test],
  ['[', test],
  ['exit', exit],
  ['env', (_, state) => printVariables(state)],
  ['printenv', ([name], state) => (name ? printVariable(name, state) : printVariables(state))],
  ['hostname', (_, state) => say(state, state.pod.metadata.name ?? '')],
  ['pwd', (_, state) => say(state, state.container.workingDir ?? '/')],
  ['whoami', (_, state) => say(state, 'root')],
  ['id', (_, state) => say(state, 'uid=0(root) gid=0(root)')],
  ['uname', (_, state) => say(state, 'Linux')],
  ['export', (args, state) => assign(args, state)],
  ['set', () => 0],
  ['trap', () => 0],
  ['cd', () => 0],
]);

function say(state: ShellState, line: string): number {
  state.write('stdout', `${line}\n`);
  return 0;
}

function printVariables(state: ShellState): number {
  for (const [name, value] of state.variables) if (name !== '?') say(state, `${name}=${value}`);
  return 0;
}

function printVariable(name: string, state: ShellState): number {
  const value = state.variables.get(name);
  return value === undefined ? 1 : say(state, value);
}

function assign(args: readonly string[], state: ShellState): number {
  for (const one of args) {
    const [name = '', ...value] = one.split('=');
    if (value.length > 0) state.variables.set(name, value.join('='));
  }
  return 0;
}
