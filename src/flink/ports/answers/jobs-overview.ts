import * as z from 'zod';
import { flinkJobStates, type JobOverview } from '../../rest.ts';
import { hexId } from './ids.ts';

/** `GET /jobs/overview` */
export const jobsOverview = z
  .object({
    jobs: z.array(z.object({ jid: hexId, name: z.string(), state: z.enum(flinkJobStates), 'start-time': z.number() })),
  })
  .transform(({ jobs }): readonly JobOverview[] =>
    jobs.map(({ jid, name, state, 'start-time': startedAt }) => ({ id: jid, name, state, startedAt })),
  );
