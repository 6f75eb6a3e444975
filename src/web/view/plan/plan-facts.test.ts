import { expect, it } from 'vitest';
import type { Plan } from '../../../portrait/plan.ts';
import { planFacts } from './plan-facts.ts';

const plan = {
  restarts: [
    { kind: 'StatefulSet', name: 'ledger', pods: ['ledger-0', 'ledger-1'], because: 'HEAP changed' },
    { kind: 'Deployment', name: 'ui', pods: [], because: 'its ConfigMap changed' },
  ],
  state: { outcome: 'kept', sentence: 'kept in volumes' },
  availability: { serves: 'throughout', sentence: '' },
  undo: { possible: true, sentence: 'set HEAP back' },
  waitsFor: 'plan deploy',
} as unknown as Plan;

it('tells what is waited for first, then what restarts and why, and leaves out what is not said', () => {
  expect(planFacts(plan).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Waits for: plan deploy',
    'Restarts: StatefulSet/ledger (ledger-0, ledger-1): HEAP changed',
    'Restarts: Deployment/ui: its ConfigMap changed',
    'State: kept in volumes',
    'Undo: set HEAP back',
  ]);
});
