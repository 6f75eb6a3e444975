import * as z from 'zod';
import { isDnsName, isPath } from '../../route-address.ts';
import { changedMetadata, ignored, newMetadata, relationship } from './parse-body.ts';

/** What the controller would refuse for ever is refused here. Whether there must be a host depends on the domain. */
const host = z.string().refine((text) => text === '' || text === '*' || (isDnsName(text) && !text.includes('.')), {
  message:
    'Host must be either "*" or contain only alphanumeric characters or "-", at most 63 of them, and not begin or end with "-"',
});

const path = z.string().refine((text) => text === '' || isPath(text), { message: 'Invalid Route URI' });

/** `POST /v3/routes` */
export const newRoute = z.strictObject({
  host: host.nullish(),
  path: path.nullish(),
  port: ignored,
  options: ignored,
  relationships: z.strictObject({ domain: relationship, space: relationship }),
  metadata: newMetadata,
});

/** `PATCH /v3/routes/{guid}` */
export const changedRoute = z.strictObject({ options: ignored, metadata: changedMetadata });

const port = z
  .int({ error: 'destinations.port must be a whole number' })
  .refine((number) => number >= 1 && number <= 65_535, {
    message: 'destinations.port must be between 1 and 65535',
  });

const destination = z.strictObject({
  app: z.strictObject({
    guid: z.string().min(1),
    process: z.strictObject({ type: z.string().min(1) }).nullish(),
  }),
  port: port.nullish(),
  protocol: z.enum(['http1']).nullish(),
  weight: ignored,
});

/** `POST` and `PATCH /v3/routes/{guid}/destinations` */
export const newDestinations = z.strictObject({ destinations: z.array(destination).max(100) });

export type NewDestination = z.infer<typeof destination>;
