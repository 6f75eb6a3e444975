import type { Workload } from '../../portrait/workload.ts';
import { instance } from '../resources/instance.ts';
import { claims } from './claims.ts';
import { dependencies } from './dependencies.ts';
import { portray } from './portray.ts';
import { summarize } from './summarize.ts';
import { besideKinds } from './surroundings.ts';

/** What runs in this family. */
export const kudoWorkloads: readonly Workload[] = [
  {
    type: instance.type,
    words: ['instance', 'kudo'],
    beside: besideKinds,
    summarize,
    portray,
    plan: ({ after }) => {
      const { subject } = summarize(after);
      const unknown = 'it is not known what will happen';
      return {
        subject,
        risk: 'none',
        line: unknown,
        changes: [],
        steps: [],
        restarts: [],
        state: { outcome: 'unknown', sentence: unknown },
        availability: { serves: 'unknown', sentence: unknown },
        undo: { possible: false, sentence: unknown },
        warnings: [],
        problems: [],
      };
    },
    verbs: [],
    claims,
    graph: dependencies,
  },
];
