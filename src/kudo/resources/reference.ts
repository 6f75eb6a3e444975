import * as z from 'zod';

/** Core's `ObjectReference`. Only the name, and sometimes the namespace, counts. */
export const reference = z.object({
  kind: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  uid: z.string().optional(),
  apiVersion: z.string().optional(),
  resourceVersion: z.string().optional(),
  fieldPath: z.string().optional(),
});
