import * as z from 'zod';
import type { Exact } from '../../schema/exact.ts';

/** Where an image is, and which Secrets of the namespace may read it. */
const registry = z.object({
  image: z.string(),
  imagePullSecrets: z.array(z.object({ name: z.string().optional() })).optional(),
});

/** The source of a package. */
export const packageSource = z.object({ registry });

/** What staging makes of a package: everything that is needed to run it. */
export const droplet = z.object({
  registry: registry.optional(),
  stack: z.string().optional(),
  processTypes: z.array(z.object({ type: z.string(), command: z.string() })).optional(),
  ports: z.array(z.int32()).optional().describe('Where its web process listens.'),
});

export type ImageSource = Exact<z.infer<typeof registry>>;
export type Droplet = Exact<z.infer<typeof droplet>>;
