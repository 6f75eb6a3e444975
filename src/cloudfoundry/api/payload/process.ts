import * as z from 'zod';
import { mostInstancesShown } from '../../resources/instances-status.ts';
import { changedMetadata, ignored } from './parse-body.ts';

const atLeastOne = (field: string) =>
  z
    .int32()
    .refine((number) => number > 0, { error: `${field} must be greater than 0` })
    .nullish();

/** What a probe asks for goes into the first line of an HTTP request as it is. */
const path = (field: string) =>
  z.string().refine((text) => text.startsWith('/') && !/\p{Cc}/u.test(text), {
    error: `${field} must begin with a slash, and must not contain control characters`,
  });

/** `POST …/actions/scale`. What is left out stays as it is. */
export const scale = z.strictObject({
  instances: z.int().min(0).max(mostInstancesShown).nullish(),
  memory_in_mb: atLeastOne('memory_in_mb'),
  disk_in_mb: atLeastOne('disk_in_mb'),
  log_rate_limit_in_bytes_per_second: ignored,
});

/** `PATCH /v3/processes/{guid}`. */
export const changedProcess = z.strictObject({
  command: z.string().nullish(),
  health_check: z
    .strictObject({
      type: z.enum(['http', 'port', 'process']).optional(),
      data: z
        .strictObject({
          timeout: atLeastOne('health_check.data.timeout'),
          invocation_timeout: atLeastOne('health_check.data.invocation_timeout'),
          interval: ignored,
          endpoint: path('health_check.data.endpoint').nullish(),
        })
        .nullish(),
    })
    .optional(),
  readiness_health_check: ignored,
  user: ignored,
  metadata: changedMetadata,
});

export type Scale = z.infer<typeof scale>;
export type ChangedProcess = z.infer<typeof changedProcess>;
