import type { Family } from '../../portrait/family.ts';
import type { Session } from '../../portrait/text/session.ts';
import type { OpenedCluster } from '../../portrait/text/shell.ts';
import { familiesOf } from './families.ts';
import { type Found, findSubject } from './find-subject.ts';
import type { SteerOptions } from './options.ts';
import { type Frame, type Line, printed } from './render/line.ts';
import type { SteerShell } from './steer-shell.ts';

/** What a command here works with. */
export interface Scene extends OpenedCluster {
  /** The families that the cluster has; loaded when first asked for. */
  families(): Promise<readonly Family[]>;
  readonly frame: Frame;
  readonly color: boolean;
  /** The workload that somebody named. */
  find(words: readonly string[]): Promise<Found>;
}

/** Opens the cluster. */
export async function sceneOf(session: Session<SteerShell>, options: SteerOptions): Promise<Scene> {
  const { shell } = session;
  const cluster = await session.cluster();
  let families: Promise<readonly Family[]> | undefined;
  return {
    ...cluster,
    families: () => {
      families ??= familiesOf(cluster.client, shell.families);
      return families;
    },
    frame: frameOf(shell),
    color: isColored(shell, options),
    find: (words) =>
      findSubject({ ...cluster, sources: shell.families, everywhere: options.allNamespaces === true }, words),
  };
}

export function frameOf({ isTerminal, columns, clock, program }: SteerShell): Frame {
  return { width: isTerminal ? Math.max(20, columns) : Number.POSITIVE_INFINITY, now: clock.now(), program };
}

export function isColored(shell: SteerShell, { color }: Pick<SteerOptions, 'color'>): boolean {
  return shell.isTerminal && shell.colors && color;
}

/** Writes lines, each in full: a terminal wraps what does not fit, and a person can still copy it. */
export function writeLines(shell: SteerShell, lines: readonly Line[], color: boolean): void {
  const text = lines.map((line) => `${printed(line, { width: Number.POSITIVE_INFINITY, color })}\n`);
  if (text.length > 0) shell.write(text.join(''));
}
