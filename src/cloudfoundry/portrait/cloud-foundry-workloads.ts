import type { Workload } from '../../portrait/workload.ts';
import { labels } from '../keys.ts';
import { cfApp } from '../resources/cf-app.ts';
import { planApp } from './plan-app.ts';
import { portrayApp } from './portray-app.ts';
import { besideApps } from './scene.ts';
import { summarizeApp } from './summarize-app.ts';
import { appVerbs } from './verbs.ts';

/** What runs in Cloud Foundry: apps. Their processes, workloads and instances are parts of them. */
export const cloudFoundryWorkloads: readonly Workload[] = [
  {
    type: cfApp.type,
    words: ['app', 'apps', 'cfapps'],
    beside: besideApps,
    summarize: summarizeApp,
    portray: portrayApp,
    plan: planApp,
    verbs: appVerbs,
    claims: ({ metadata }) => metadata.labels?.[labels.appGuid],
  },
];
