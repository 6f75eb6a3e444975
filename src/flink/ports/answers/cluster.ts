import * as z from 'zod';
import { hexId } from './ids.ts';

/** `GET /config` */
export const version = z
  .object({ 'flink-version': z.string(), 'flink-revision': z.string() })
  .transform((body) => ({ version: body['flink-version'], revision: body['flink-revision'] }));

/** `GET /taskmanagers`: how many there are. */
export const taskManagers = z
  .object({ taskmanagers: z.array(z.object({ id: z.string() })) })
  .transform((body) => body.taskmanagers.length);

/** `GET /jobs/:jobid/metrics?get=…`: those that have a number. */
export const metrics = z
  .array(z.object({ id: z.string(), value: z.union([z.string(), z.number()]).nullish() }))
  .transform((list): Readonly<Record<string, number>> => {
    const numbers = list.map(
      ({ id, value }) => [id, value == null || value === '' ? Number.NaN : Number(value)] as const,
    );
    return Object.fromEntries(numbers.filter(([, value]) => Number.isFinite(value)));
  });

/** `GET /jobs/:jobid/resource-requirements`: the bounds of every vertex. */
export const requirements = z
  .record(hexId, z.object({ parallelism: z.object({ lowerBound: z.int(), upperBound: z.int() }) }))
  .transform(
    (vertices): Readonly<Record<string, { readonly lower: number; readonly upper: number }>> =>
      Object.fromEntries(
        Object.entries(vertices).map(([id, { parallelism }]) => [
          id,
          { lower: parallelism.lowerBound, upper: parallelism.upperBound },
        ]),
      ),
  );
