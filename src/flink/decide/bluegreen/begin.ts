import { told, warned } from '../reasons.ts';
import type { Effect } from '../step.ts';
import { askSavepoint } from './ask-savepoint.ts';
import { type BlueGreenCase, pathIn } from './blue-green-case.ts';
import type { BlueGreenStep } from './blue-green-step.ts';
import { begun } from './record.ts';
import { lastKnown, type Restore } from './source.ts';
import { made, word } from './target.ts';

/** A transition because a redeploy nonce changed: the user says where the state comes from, so x need not be well. */
export function beginRedeploy(c: BlueGreenCase, redeploy: 'savepoint' | 'stateless'): BlueGreenStep {
  const path = pathIn(c.desired);
  if (redeploy === 'savepoint') {
    const because = `savepointRedeployNonce changed: ${word(c.y.color)} starts from ${path ?? 'nothing'}.`;
    const restore: Restore = { mode: 'user', ...(path !== undefined && { path }) };
    const status = begun(c, { cause: 'savepoint-redeploy', because, phase: 'starting', restore });
    return made(c, status, because, [told(c.resource, 'SavepointRedeploy', because)]);
  }
  const because = `statelessRedeployNonce changed: ${word(c.y.color)} starts without state.`;
  const status = begun(c, { cause: 'stateless-redeploy', because, phase: 'starting', restore: { mode: 'stateless' } });
  const note = `${because} The state of ${word(c.x.color)} is left behind once ${word(c.y.color)} serves. ${lastKnown(c)}`;
  return made(c, status, because, [warned(c.resource, 'StateDropped', note)]);
}

/** A transition because the template demands it, from state that is known, or none. */
export function beginFrom(c: BlueGreenCase, restore: Restore): BlueGreenStep {
  const because = `${changed(c)}: ${word(c.y.color)} starts ${restore.path === undefined ? 'without state' : `from ${restore.path}`}.`;
  const status = begun(c, { cause: 'spec-change', because: changed(c), phase: 'starting', restore });
  return made(c, status, because, announced(c));
}

/** A transition because the template demands it, from a savepoint that is to be taken. */
export function beginSavepoint(c: BlueGreenCase): BlueGreenStep {
  const status = begun(c, { cause: 'spec-change', because: changed(c), phase: 'savepointing' });
  return askSavepoint(c, status, announced(c));
}

/** A transition because the template demands it, from the last checkpoint of a side that must be suspended for it. */
export function beginSuspension(c: BlueGreenCase): BlueGreenStep {
  const status = begun(c, { cause: 'spec-change', because: changed(c), phase: 'savepointing' });
  const { serving } = status;
  const because = `${changed(c)}: ${word(c.x.color)} is not well, and is suspended for the sake of its last checkpoint.`;
  return {
    status: { ...status, ...(serving && { serving: { ...serving, suspended: true } }) },
    effects: announced(c),
    because,
    again: true,
  };
}

function announced(c: BlueGreenCase): readonly Effect[] {
  return [
    told(c.resource, 'SpecChanged', `TRANSITION change(s) detected (Diff: ${c.change.text}), starting reconciliation.`),
  ];
}

/** The cause, short enough for a status. */
function changed({ change }: BlueGreenCase): string {
  const paths = change.changes.map(({ path }) => path.replace(/^spec\./, ''));
  const named = paths.slice(0, 3).join(', ');
  return `The template changed (${paths.length > 3 ? `${named} and ${paths.length - 3} more` : named})`;
}
