import { errorText } from '../error-text.ts';
import { warned } from '../reasons.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import { enter, type Moving } from './advance.ts';

/**
 * The state of the job cannot be found by anybody but a person. Nothing more happens by itself: starting from anything
 * else would silently lose what came after it. A redeploy nonce ends this.
 */
export function lost(c: Moving, why: string): Step<Status> {
  if (c.status.transition.cause === 'deletion') return letGo(c, why);
  const message = `The state of the job is not known: ${why}. Manual restore required: set savepointRedeployNonce and initialSavepointPath, or statelessRedeployNonce to start without state.`;
  const error = errorText(c.config, 'upgrade', message);
  return {
    status: { ...c.status, error },
    effects: c.resource.status?.error === error ? [] : [warned(c.resource, 'UpgradeFailed', message)],
    because: message,
    stands: { is: 'stalled', reason: 'UpgradeFailed' },
  };
}

/** Nobody will start from it: a deletion goes on, and says so. */
function letGo(c: Moving, why: string): Step<Status> {
  const step = enter(c, 'clearing');
  const note = `The state of the job is not known: ${why}. The resource is deleted all the same.`;
  return { ...step, effects: [warned(c.resource, 'CleanupFailed', note), ...step.effects] };
}
