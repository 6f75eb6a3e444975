/** Which oracle says so, by how it speaks. What no other says, the invariants of a family do. */
const oracles: readonly (readonly [oracle: string, speaks: RegExp])[] = [
  ['convergence', / within \d+ minutes: | was not answered$/],
  ['same end', /^the end differs: /],
  ['operation counts', / was written otherwise: | was created \d+ times$/],
  ['effects once', / took effect \d+ times instead of /],
  ['quiet at the end', /^calls were made although nothing changed/],
  ['no hot loop', /^\d+ calls were made instead of /],
  ['log', /^an error was logged: /],
  ['secrecy', / shows what (Secret|the specification of) /],
  ['own writes', /decided on version|: it had (made|removed) that already$/],
  ['conditions', /observedGeneration|lastTransitionTime|conditions are there twice|Reconciling and Stalled/],
];

export function oracleOf(problem: string): string {
  return oracles.find(([, speaks]) => speaks.test(problem))?.[0] ?? 'family invariant';
}
