import * as z from 'zod';
import { jobStates } from '../../resources/job-status.ts';
import type { JobOverview } from '../../rest.ts';
import { hexId } from './ids.ts';

/** `GET /jobs/overview` */
export const jobsOverview = z
  .object({
    jobs: z.array(
      z.object({
        jid: hexId,
        name: z.string(),
        state: z.enum(jobStates),
        'start-time': z.number(),
        'last-modification': z.number().optional(),
        tasks: z
          .object({
            total: z.number(),
            running: z.number(),
            finished: z.number(),
            created: z.number(),
            scheduled: z.number(),
          })
          .partial()
          .optional(),
      }),
    ),
  })
  .transform(({ jobs }): readonly JobOverview[] =>
    jobs.map(({ jid, name, state, 'start-time': startedAt, 'last-modification': changedAt, tasks = {} }) => {
      const { total = 0, running = 0, finished = 0, created = 0, scheduled = 0 } = tasks;
      const starting = state === 'RUNNING' && 'running' in tasks && running + finished < total;
      return {
        id: jid,
        name,
        state,
        startedAt,
        ...(changedAt !== undefined && { changedAt }),
        ...(starting && { starting: true as const }),
        ...(starting && created + scheduled > 0 && { waiting: true as const }),
      };
    }),
  );
