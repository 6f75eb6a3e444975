import type { Grant } from '../control/access.ts';

/** What `cutover uninstall` asks for beside what the operator may do; the chart fills in the namespaces that are looked at. */
export const uninstallAccess: readonly Grant[] = [
  {
    group: '',
    resources: ['namespaces'],
    verbs: ['get'],
    names: ['WATCH_NAMESPACES'],
    where: 'cluster',
    why: 'a namespace that is gone took its Role with it, and holds nothing that has to be released',
  },
];
