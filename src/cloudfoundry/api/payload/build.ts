import * as z from 'zod';
import { changedMetadata, ignored, newMetadata } from './parse-body.ts';

const megabytes = z.int32().min(1).nullish();

/** `POST /v3/builds`. */
export const newBuild = z.strictObject({
  package: z.strictObject({ guid: z.string().min(1) }),
  lifecycle: z
    .strictObject({
      type: z.enum(['buildpack', 'docker']),
      data: z
        .strictObject({
          buildpacks: z.array(z.string()).nullish(),
          stack: z.string().nullish(),
          credentials: ignored,
        })
        .nullish(),
    })
    .nullish(),
  staging_memory_in_mb: megabytes,
  staging_disk_in_mb: megabytes,
  staging_log_rate_limit_bytes_per_second: ignored,
  metadata: newMetadata,
});

/** `PATCH /v3/builds/{guid}` and `PATCH /v3/droplets/{guid}`. */
export const changedBuild = z.strictObject({
  metadata: changedMetadata,
  state: ignored,
  lifecycle: ignored,
  image: ignored,
});

export type NewBuild = z.infer<typeof newBuild>;
