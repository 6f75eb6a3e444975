import { warned } from '../reasons.ts';
import { without } from '../status.ts';
import type { Effect } from '../step.ts';
import { type BlueGreenCase, caseOf, jobOf, type Spec, type Status, specIn } from './blue-green-case.ts';

const redeploys = [
  { field: 'savepointRedeployNonce', name: 'savepointRedeploy', demands: 'redeploy-from-savepoint' },
  { field: 'statelessRedeployNonce', name: 'statelessRedeploy', demands: 'redeploy-without-state' },
] as const;

/**
 * Of two redeploy nonces that no side was made for yet, the one that was changed last acts. The other one is superseded, in
 * the write that takes the edit up, and never acts. Which one was changed last is told by the spec that was accepted before;
 * two that changed since then are refused by validation.
 */
export function lastNonce(c: BlueGreenCase): { readonly c: BlueGreenCase; readonly events: readonly Effect[] } {
  const before = specIn(c.status.wanted);
  const pending = redeploys.filter(({ demands }) => c.change.changes.some((change) => change.demands === demands));
  if (!before || pending.length < 2) return { c, events: [] };
  const [was, is] = [jobOf(before), jobOf(c.desired)];
  const [former, ...more] = pending.filter(({ field }) => was[field] === is[field]);
  if (!former || more.length > 0) return { c, events: [] };
  const value = is[former.field];
  const later = redeploys.find((one) => one !== former)?.field;
  const note = `${later} changed before a side was made for ${former.field} ${value}, which is superseded and does not act any more.`;
  const status = { ...c.status, superseded: { [former.name]: value } };
  return { c: caseOf(c.view, status, c.desired), events: [warned(c.resource, 'RedeploySuperseded', note)] };
}

/** Without a superseded nonce that has another value by now, or counts as acted upon: a later change of it is a new one. */
export function withSuperseded(status: Status, desired: Spec): Status {
  const { nonces, superseded } = status;
  if (!superseded) return status;
  const job = jobOf(desired);
  const stays = redeploys.some(
    ({ field, name }) =>
      superseded[name] !== undefined && superseded[name] === job[field] && superseded[name] !== nonces?.[name],
  );
  return stays ? status : without(status, 'superseded');
}
