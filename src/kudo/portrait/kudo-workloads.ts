import type { Workload } from '../../portrait/workload.ts';
import { instance } from '../resources/instance.ts';
import { claims } from './claims.ts';
import { dependencies } from './dependencies.ts';
import { planInstance } from './plan/plan-instance.ts';
import { portray } from './portray.ts';
import { summarize } from './summarize.ts';
import { besideKinds } from './surroundings.ts';
import { instanceVerbs } from './verbs/instance-verbs.ts';

/** What runs in this family. */
export const kudoWorkloads: readonly Workload[] = [
  {
    type: instance.type,
    words: ['instance', 'kudo'],
    beside: besideKinds,
    summarize,
    portray,
    plan: (edit, around) => planInstance(edit, around),
    verbs: instanceVerbs,
    claims,
    graph: dependencies,
  },
];
