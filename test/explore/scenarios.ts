import type { Scenario } from './scenario.ts';

/** What may go wrong in each of them: enough for every pair of an edit and a crash, with a lost answer and an old read. */
const budget = { edits: 2, crashes: 2, lost: 1, stale: 1 };

/** What `npm test` looks at whole. Each menu of edits is small, so that all orders of it are looked at. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'edits and reverts, a savepoint redeploy',
    edits: ['image', 'another image', 'all taken back', 'savepoint nonce'],
    budget,
  },
  {
    name: 'suspending and resuming, a stateless redeploy',
    edits: ['image', 'suspend', 'resume', 'stateless nonce'],
    budget,
  },
  {
    name: 'patches, ways back, a target deleted by hand',
    edits: ['image', 'small change', 'rollback', 'delete the other side'],
    budget,
  },
  {
    name: 'deletions and an Ingress that is taken away',
    edits: ['image', 'delete the serving side', 'delete the resource', 'ingress off'],
    budget,
  },
  { name: 'the first deployment', edits: ['image', 'suspend'], budget, fromTheStart: true },
  { name: 'without an Ingress', edits: ['image', 'stateless nonce'], budget, ingress: false },
  { name: 'savepoints and jobs that fail', edits: ['image'], budget: { edits: 1, crashes: 1, failures: 1, slow: 1 } },
];

/** The same with more of everything: `EXPLORE='{"edits":3,"crashes":2,"lost":1,"late":1,"stale":1,"failures":1}'`. */
export function deeper(scenario: Scenario, option: string | undefined): Scenario {
  return option ? { ...scenario, budget: JSON.parse(option) as Scenario['budget'] } : scenario;
}
