import type { Start, Verdict } from '../decide/admit/view.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';

/** What a change will lead to, for whoever makes it; `undefined` when there is nothing to tell. */
export function foretold(verdict: Verdict, version: OperatorVersion | undefined): string | undefined {
  switch (verdict.is) {
    case 'start':
      return `plan ${verdict.plan} will run${verdict.supersedes ? ' instead of the one that runs now' : ''}${restarts(verdict, version)}`;
    case 'waits':
      return verdict.message;
    case 'cancel':
      return 'the plan that runs will be cancelled: what it has done so far stays';
    case 'nothing':
    case 'refused':
      return undefined;
    default:
      return verdict satisfies never;
  }
}

/** An installation has no pods to restart. */
function restarts({ cause, changed, forced }: Start, version: OperatorVersion | undefined): string {
  if (cause === 'install') return '';
  if (!forced) return '; pods restart only if their template changes';
  const which =
    version?.spec?.restartPolicy === 'onDependencyChange' ? 'pods whose ConfigMaps or Secrets change' : 'pods';
  const why =
    changed.length > 0 ? `${changed.join(', ')} changed` : `it is ${cause === 'upgrade' ? 'an' : 'a'} ${cause}`;
  return `; ${which} restart because ${why}`;
}
