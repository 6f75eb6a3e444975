import * as z from 'zod';

/** An id of a job, a vertex or a trigger, as Flink writes them. */
export const hexId = z.string().regex(/^[0-9a-f]{32}$/);
