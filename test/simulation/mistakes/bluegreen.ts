import type { Decide } from '../../explore/decider.ts';
import { variants } from '../../explore/variants/variants.ts';
import type { Mistake, Root } from './mistake.ts';

/** Mistakes that the explorer finds in the decision alone (`test/explore`), made in the whole operator. */
const explored: Readonly<Record<string, { readonly workload: string; readonly root: Root }>> = {
  'deletion before traffic': { workload: 'transition', root: 'intermediate state' },
  'spec recorded too early': { workload: 'transition', root: 'intermediate state' },
  'nonce ignored mid-transition': { workload: 'nonce during a transition', root: 'unobserved state' },
  'abort of the serving side': { workload: 'abort', root: 'indirect' },
};

export const blueGreenMistakes: readonly Mistake[] = variants
  .filter(({ name }) => name in explored)
  .map(({ name, bug, seenIn, of }) => ({
    name: `bluegreen: ${name}`,
    bug,
    seenIn,
    root: explored[name]?.root ?? 'indirect',
    subject: 'bluegreen',
    workload: explored[name]?.workload ?? '',
    faults: ['crash-after', 'lose-answer'],
    spoil: () => ({
      alter: (which, controller) =>
        which === 'flinkbluegreendeployment' ? { ...controller, decide: of(controller.decide as Decide) } : controller,
    }),
  }));
