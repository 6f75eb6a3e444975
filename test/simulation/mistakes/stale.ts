import type { AnyObject } from '../../../src/kube/object.ts';
import { byName, type Mistake, seeing, unversioned } from './mistake.ts';

const root = 'stale state';
const sieveNames = 'Sieve: “name instead of UID” is a root cause of its own';
const twoLeaders =
  'a process that slept past its lease; leader election is off by default in Flink’s operator, Reloader and Flagger';

/** Acting on what is no longer so. */
export const staleMistakes: readonly Mistake[] = [
  {
    name: 'kudo: deletion by name',
    bug: 'What a plan removes is deleted by its name: a request that was delayed deletes its successor.',
    seenIn: sieveNames,
    root,
    subject: 'kudo',
    workload: 'failing job',
    faults: ['late-effect'],
    spoil: () => ({ send: byName }),
  },
  {
    name: 'flink: deletion by name',
    bug: 'The old cluster is deleted by its name: a request that was delayed deletes the new one.',
    seenIn: sieveNames,
    root,
    subject: 'flink',
    workload: 'savepoint',
    faults: ['late-effect'],
    spoil: () => ({ send: byName }),
  },
  {
    name: 'kudo: the last writer wins',
    bug: 'Statuses are written without the version that they were decided on.',
    seenIn: 'Sieve: no quorum read where one is needed; stale-state, its most frequent class',
    root,
    subject: 'kudo',
    workload: 'change',
    faults: ['late-effect'],
    at: /^PUT .*\/status/,
    spoil: () => ({ send: unversioned }),
  },
  {
    name: 'toy: acting without a lease',
    bug: 'Two processes act at the same time.',
    seenIn: twoLeaders,
    root,
    subject: 'toy',
    workload: 'redeploy',
    faults: ['deputy'],
    spoil: () => ({ leaderless: true }),
  },
  {
    name: 'cloudfoundry: acting without a lease',
    bug: 'Two processes act at the same time.',
    seenIn: twoLeaders,
    root,
    subject: 'cloudfoundry',
    workload: 'rolling deployment',
    faults: ['deputy'],
    at: /cfdeployments|appworkloads|statefulsets/,
    spoil: () => ({ leaderless: true }),
  },
  {
    name: 'cloudfoundry: blind to its own writes',
    bug: 'An app is decided on as it was at the look before, before the own writes.',
    seenIn: 'Sieve’s stale-state bugs; Kubernetes 1.36 makes its own controllers wait for their writes (KEP-5504)',
    root,
    subject: 'cloudfoundry',
    workload: 'push',
    faults: [],
    spoil: () => seeing('cfapp', lookBehind),
  },
  {
    name: 'toy: blind to its own writes',
    bug: 'A lamp is decided on as it was at the look before, before the own writes.',
    seenIn: 'Sieve’s stale-state bugs; Kubernetes 1.36 makes its own controllers wait for their writes (KEP-5504)',
    root,
    subject: 'toy',
    workload: 'restart',
    faults: [],
    spoil: () => seeing('lamp', lookBehind),
  },
];

function lookBehind(): (object: AnyObject) => AnyObject {
  const before = new Map<string, AnyObject>();
  return (object) => {
    const uid = object.metadata.uid ?? '';
    const known = before.get(uid) ?? object;
    before.set(uid, object);
    return known;
  };
}
