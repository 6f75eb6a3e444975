import type { Action } from '../../../src/control/decision.ts';
import { acting, type Variant } from './variant.ts';

/** Things done to whatever is there, instead of to what was looked at. */
export const identityVariants: readonly Variant[] = [
  {
    name: 'deletion without a version',
    bug: 'The old side is deleted by uid alone: the mark that begins a way back does not stop a deletion that is under way.',
    seenIn: 'stale and delayed requests: Sieve’s most frequent class of bugs',
    breaks: 'serves until succeeded',
    scenario: { edits: ['image'], budget: { edits: 1, failures: 1, late: 1 } },
    of: (decide) => (view) =>
      acting(decide(view), (actions) =>
        actions.map((action) => withRef(action, ({ resourceVersion: _, ...ref }) => ref)),
      ),
  },
  {
    name: 'deletion by name',
    bug: 'A side is deleted by its name: a request that was delayed deletes its successor.',
    seenIn: 'Sieve: “name instead of UID” is a root cause of its own',
    breaks: 'serves until succeeded',
    scenario: { edits: ['image', 'stateless nonce'], budget: { edits: 2, late: 1 } },
    of: (decide) => (view) =>
      acting(decide(view), (actions) =>
        actions.map((action) => withRef(action, ({ resourceVersion: _, ...ref }) => ({ ...ref, uid: '' }))),
      ),
  },
];

type Ref = Extract<Action, { do: 'delete' | 'evict' }>['of'];

function withRef(action: Action, change: (ref: Ref) => Ref): Action {
  return action.do === 'delete' && action.of.kind === 'FlinkDeployment' ? { ...action, of: change(action.of) } : action;
}
