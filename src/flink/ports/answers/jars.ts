import * as z from 'zod';
import { hexId } from './ids.ts';

/** `POST /jars/upload`: the id of the jar is the last part of the file's name on the JobManager. */
export const uploadedJar = z
  .object({ filename: z.string(), status: z.literal('success') })
  .transform(({ filename }, context) => {
    const id = filename.split('/').at(-1) ?? '';
    if (/^[\w.-]+$/.test(id)) return id;
    context.addIssue(`${JSON.stringify(filename)} does not end in the id of a jar`);
    return z.NEVER;
  });

/** `POST /jars/:jarid/run`: the id of the job. */
export const ranJar = z.object({ jobid: hexId }).transform(({ jobid }) => jobid);

/** An answer in which nothing is of interest: `{}`. */
export const nothing = z.looseObject({}).transform(() => undefined);
