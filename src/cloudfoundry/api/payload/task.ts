import * as z from 'zod';
import { changedMetadata, ignored, newMetadata } from './parse-body.ts';

const megabytes = z.int32().min(1).nullish();

/** `POST /v3/apps/{guid}/tasks`. The command is its own, or that of a process of the app. */
export const newTask = z
  .strictObject({
    command: z.string().nullish(),
    template: z.strictObject({ process: z.strictObject({ guid: z.string().min(1) }) }).nullish(),
    name: z.string().max(255).nullish(),
    memory_in_mb: megabytes,
    disk_in_mb: megabytes,
    log_rate_limit_in_bytes_per_second: ignored,
    droplet_guid: z.string().min(1).nullish(),
    user: ignored,
    metadata: newMetadata,
  })
  .superRefine(({ command, template }, context) => {
    if (!command && !template) context.addIssue({ code: 'custom', message: 'command cannot be blank' });
  });

/** `PATCH /v3/tasks/{guid}`. */
export const changedTask = z.strictObject({ metadata: changedMetadata });

export type NewTask = z.infer<typeof newTask>;
