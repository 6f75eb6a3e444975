import type { Command } from 'commander';
import { type Format, formatted } from './formatted.ts';
import { harmless } from './harmless.ts';
import type { ClusterFlags, OpenedCluster, Shell } from './shell.ts';

/** Options that all commands have. */
export interface GlobalOptions extends ClusterFlags {
  /** `json` and `yaml` mean the same everywhere; other words are a command's own. */
  readonly output?: string;
}

/** What one run of a command works with. */
export interface Session<S extends Shell = Shell> {
  readonly shell: S;
  readonly format: Format;
  /** The cluster; opened when it is first asked for, closed when the command ends. */
  cluster(): Promise<OpenedCluster>;
  /** A line for people: not written when the answer is JSON or YAML. */
  say(line: string): void;
  /** Lines that are no part of the answer. */
  warn(line: string): void;
  note(line: string): void;
  /** The answer as JSON or YAML, if that was asked for; whether it was. */
  answer(value: unknown): boolean;
}

/** How a command that failed ends. */
export interface Told {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** A commander action that does something in a session of its own. */
type InSession = <S extends Shell, Options>(
  shell: S,
  run: (session: Session<S>, options: Options & GlobalOptions, args: readonly string[]) => Promise<void>,
) => (...given: unknown[]) => Promise<void>;

/**
 * Makes commander actions of what commands do. Whatever a person can act on becomes lines and an exit code; `told` makes them of
 * an error, and throws those that nobody foresaw.
 */
export function sessions(told: (error: unknown) => Told): InSession {
  return (shell, run) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals();
      let opened: Promise<OpenedCluster> | undefined;
      const format = options.output === 'json' || options.output === 'yaml' ? options.output : undefined;
      const session: Session<typeof shell> = {
        shell,
        format,
        cluster: () => {
          opened ??= shell.open(options);
          return opened;
        },
        say: (line) => {
          if (format === undefined) shell.write(`${harmless(line)}\n`);
        },
        note: (line) => shell.writeError(`${harmless(line)}\n`),
        warn: (line) => shell.writeError(`Warning: ${harmless(line)}\n`),
        answer: (value) => {
          if (format !== undefined) shell.write(formatted(value, format));
          return format !== undefined;
        },
      };
      try {
        await run(session, options as Parameters<typeof run>[1], command.args);
      } catch (error) {
        const { lines, exitCode } = told(error);
        for (const line of lines) shell.writeError(`Error: ${harmless(line)}\n`);
        shell.exit(exitCode);
      } finally {
        await opened?.then((cluster) => cluster.close()).catch(() => {});
      }
    };
}
