import { Command } from 'commander';
import { harmless } from '../../../portrait/text/harmless.ts';
import { redrawer } from '../../../portrait/text/redraw.ts';
import type { Shell } from '../../../portrait/text/shell.ts';
import type { Instance } from '../../resources/instance.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { operatorVersionOf, theInstance } from '../cluster-objects.ts';
import { type InstanceOption, type WaitOptions, withInstance, withWait } from '../options.ts';
import { planTree } from '../print/plan-tree.ts';
import { restartText } from '../print/restart-text.ts';
import { inSession } from '../session.ts';
import { standingEnd, standingMark } from './standing.ts';

/** `plan status`: the tree, once or until the plan has ended. */
export function planStatusCommand(shell: Shell): Command {
  return withWait(withInstance(new Command('status')), 'the plan has ended')
    .description('show the plans of an Instance, and how far the one that runs has come')
    .action(
      inSession<InstanceOption & WaitOptions>(shell, async (session, options) => {
        const cluster = await session.cluster();
        const found = await theInstance(cluster, options.instance);
        const version = await operatorVersionOf(cluster, found);
        if (!options.wait) {
          if (!session.answer(found.status ?? {})) shell.write(statusText(found, version));
          return;
        }
        const draw = session.format ? () => {} : drawing(shell, version);
        const end = await standingEnd(shell, cluster, {
          mark: standingMark(found),
          instance: options.instance,
          seconds: options.waitTime,
          onLook: draw,
        });
        session.answer(end.instance.status ?? {});
        if (end.failure) throw end.failure;
      }),
    );
}

/** On a terminal the tree, over the one before it; elsewhere the tree again whenever it differs. */
function drawing(shell: Shell, version: OperatorVersion | undefined): (instance: Instance) => void {
  const began = shell.clock.monotonic();
  if (!shell.isTerminal) {
    let before = '';
    return (instance) => {
      const text = statusText(instance, version);
      if (text !== before) shell.write(text);
      before = text;
    };
  }
  const redraw = redrawer(shell);
  return (instance) => {
    const elapsed = Math.round((shell.clock.monotonic() - began) / 1000);
    redraw(`${statusText(instance, version)}elapsed time: ${elapsed}s`);
  };
}

/** The tree, and what it cannot show: what waits, what was refused, whose pods restart and why. */
export function statusText(instance: Instance, version: OperatorVersion | undefined): string {
  const { conditions = [], execution } = instance.status ?? {};
  const notes = [
    ...conditions.flatMap(({ type, status, message, reason }) => {
      if (type === 'Accepted' && status === 'False') return [`Refused: ${message || reason}`];
      if (type === 'Waiting' && status === 'True') return [`Waiting: ${message || reason}`];
      return type === 'RestartPending' && status === 'True' ? [`Restart pending: ${message || reason}`] : [];
    }),
    ...(execution?.restarts ?? []).map((one) => `Restarts: ${restartText(one)}`),
  ];
  return `${planTree(instance, version?.spec)}${notes.map((note) => `${harmless(note)}\n`).join('')}`;
}
