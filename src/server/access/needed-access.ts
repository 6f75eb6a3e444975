import { follow, type Grant } from '../../control/access.ts';

/** What the dashboard asks for with the operator's own identity. What people do, they do with theirs. */
export const dashboardAccess: readonly Grant[] = [
  {
    group: 'authentication.k8s.io',
    resources: ['tokenreviews'],
    verbs: ['create'],
    where: 'cluster',
    why: 'asks the cluster whose token somebody signs in with',
  },
  {
    group: 'authorization.k8s.io',
    resources: ['subjectaccessreviews'],
    verbs: ['create'],
    where: 'cluster',
    why: 'asks the cluster what that person may see and do, and shows no more',
  },
  {
    group: 'events.k8s.io',
    resources: ['events'],
    verbs: follow,
    where: 'watched',
    why: 'shows what was said of a workload and what is wrong with its pods',
  },
];

/** What notifications ask for beside what the families look at anyway. */
export const notifyAccess: readonly Grant[] = [
  {
    group: 'events.k8s.io',
    resources: ['events'],
    verbs: follow,
    where: 'watched',
    why: 'tells whoever wants to hear what the operator says of workloads',
  },
];
