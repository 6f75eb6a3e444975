import type { Scenario } from './scenario.ts';

/** What may go wrong in most of them: enough for every pair of an edit and a crash, with a lost answer and an old read. */
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
    edits: ['image', 'suspend', 'resume', 'stateless nonce', 'stateless nonce and suspend'],
    budget,
  },
  {
    name: 'both redeploy nonces, one after the other',
    edits: ['image', 'savepoint nonce', 'stateless nonce'],
    budget: { edits: 3, crashes: 1 },
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
  { name: 'without an Ingress', edits: ['image', 'another image', 'stateless nonce'], budget, ingress: false },
  {
    name: 'edits while something fails',
    edits: ['image', 'small change', 'stateless nonce'],
    budget: { edits: 2, failures: 1 },
  },
  {
    name: 'failures and delays, while the operator dies, hears nothing and sees the past',
    edits: ['image', 'savepoint nonce', 'suspend'],
    budget: { edits: 1, failures: 1, slow: 1, crashes: 1, lost: 1, stale: 1 },
  },
  {
    name: 'edits and a request that arrives late',
    edits: ['image', 'another image', 'savepoint nonce'],
    budget: { edits: 2, late: 1 },
  },
  {
    name: 'a failure and a request that arrives late',
    edits: ['image'],
    budget: { edits: 1, failures: 1, slow: 1, late: 1 },
    configuration: { 'deployment-deletion.delay': '5 s' },
  },
  {
    name: 'no state to keep',
    edits: ['image', 'savepoint nonce', 'delete the serving side'],
    budget: { edits: 2, failures: 1 },
    upgradeMode: 'stateless',
  },
  {
    name: 'a rollback window',
    edits: ['image', 'rollback'],
    budget: { edits: 2, crashes: 1, failures: 1 },
    configuration: { 'deployment-deletion.delay': '5 s', 'rollback-window': '1 h' },
  },
  {
    name: 'promotion by hand, with a preview',
    edits: ['image', 'promote', 'rollback', 'stateless nonce'],
    budget: { edits: 2, failures: 1 },
    configuration: { promotion: 'manual', 'preview-ingress': 'true' },
  },
  {
    name: 'a hold, and aborts that delete',
    edits: ['image', 'suspend'],
    budget: { edits: 2, failures: 1 },
    configuration: { 'abort.action': 'delete', 'promotion.hold': '1 min' },
  },
  {
    name: 'aborts that suspend',
    edits: ['image', 'all taken back'],
    budget: { edits: 2, failures: 1 },
    configuration: { 'abort.action': 'suspend' },
  },
  {
    name: 'the last checkpoint of a side that is not well',
    edits: ['image', 'all taken back', 'suspend'],
    budget: { edits: 2, failures: 1 },
    configuration: { 'unhealthy.policy': 'last-checkpoint' },
  },
];

/** The same with more of everything: `EXPLORE='{"edits":3,"crashes":2,"lost":1,"late":1,"stale":1,"failures":1}'`. */
export function deeper(scenario: Scenario, option: string | undefined): Scenario {
  if (!option) return scenario;
  const budget = JSON.parse(option) as Scenario['budget'];
  const wrong = Object.entries(budget).find(([, count]) => !Number.isInteger(count) || count < 0 || count > 15);
  if (wrong) throw new Error(`EXPLORE: ${wrong[0]} is ${wrong[1]}; it must be a whole number from 0 to 15`);
  return { ...scenario, budget };
}
