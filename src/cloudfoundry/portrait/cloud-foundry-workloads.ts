import type { Workload } from '../../portrait/workload.ts';

/** What runs in this family. */
export const cloudFoundryWorkloads: readonly Workload[] = [];
