import * as z from 'zod';

/** How source becomes a droplet. */
export const lifecycle = z.object({
  type: z.enum(['buildpack', 'docker']).describe('buildpack: a builder makes an image; docker: it is one already.'),
  data: z
    .object({
      buildpacks: z.array(z.string()).optional(),
      stack: z.string().optional(),
    })
    .optional(),
});
