import type { Grant } from './access.ts';

/** What every operator asks for, whatever it manages. */
export const coreAccess: readonly Grant[] = [
  {
    group: 'coordination.k8s.io',
    resources: ['leases'],
    verbs: ['get', 'create', 'update'],
    where: 'home',
    why: 'only the holder of the lease acts',
  },
  {
    group: 'events.k8s.io',
    resources: ['events'],
    verbs: ['create', 'patch'],
    where: 'watched',
    why: 'says beside each object what was done to it and why; repetitions are counted',
  },
];
