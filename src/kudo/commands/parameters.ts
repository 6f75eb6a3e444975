import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CommandError } from '../../portrait/text/command-error.ts';
import { didYouMean } from '../../portrait/text/near-names.ts';
import type { Shell } from '../../portrait/text/shell.ts';
import { definitionsOf } from '../parameters/definitions.ts';
import { parametersFromFile } from '../parameters/parameters-from-file.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { repeated } from './options.ts';

export interface ParameterOptions {
  readonly parameter: readonly string[];
  readonly parameterFile: readonly string[];
}

export function withParameters(command: Command): Command {
  return command
    .option('-p, --parameter <name=value>', 'value of a parameter; may be repeated, and wins over files', repeated, [])
    .option('-P, --parameter-file <file>', 'YAML file with values; may be repeated, later ones win', repeated, []);
}

/** The values that files and flags name. */
export async function givenParameters(
  { cwd }: Pick<Shell, 'cwd'>,
  { parameter, parameterFile }: ParameterOptions,
): Promise<Readonly<Record<string, string>>> {
  const given = new Map<string, string>();
  for (const file of parameterFile) {
    const text = await readFile(resolve(cwd, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
      throw new CommandError(`parameter file ${file}: ${why}`);
    });
    const read = parametersFromFile(text);
    if ('error' in read) throw new CommandError(`parameter file ${file}: ${read.error}`);
    for (const [name, value] of Object.entries(read.parameters)) given.set(name, value);
  }
  for (const text of parameter) {
    const at = text.indexOf('=');
    if (at <= 0) {
      throw new CommandError(`-p ${JSON.stringify(text)} has not the form NAME=VALUE; a value may be empty: NAME=`);
    }
    given.set(text.slice(0, at), text.slice(at + 1));
  }
  return Object.fromEntries(given);
}

/** Names that the version does not have: the first of them, as a sentence. */
export function unknownParameter(version: OperatorVersion, names: readonly string[]): string | undefined {
  const known = [...definitionsOf(version).keys()];
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return undefined;
  const { name } = version.metadata;
  const hint = didYouMean(stranger, known) || ` It has: ${known.slice(0, 20).join(', ') || 'none'}`;
  return `parameter ${JSON.stringify(stranger)} is not one of ${name}.${hint}`;
}

/** Required parameters without a value or a default, sorted. */
export function missingParameters(
  version: OperatorVersion,
  given: Readonly<Record<string, string>>,
): readonly string[] {
  return [...definitionsOf(version).values()]
    .filter(
      ({ name, required, default: value }) =>
        required === true && (value === undefined || value === null) && !hasValue(given, name),
    )
    .map(({ name }) => name)
    .sort();
}

function hasValue(given: Readonly<Record<string, string>>, name: string): boolean {
  return Object.hasOwn(given, name) && given[name] !== '';
}
