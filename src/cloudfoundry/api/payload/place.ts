import * as z from 'zod';
import { changedMetadata, ignored, newMetadata, relationship } from './parse-body.ts';

const name = z.string().min(1).max(255);

/** `POST /v3/organizations` */
export const newOrganization = z.strictObject({ name, suspended: ignored, metadata: newMetadata });

/** `PATCH /v3/organizations/{guid}` */
export const changedOrganization = z.strictObject({
  name: name.optional(),
  suspended: ignored,
  relationships: ignored,
  metadata: changedMetadata,
});

/** `POST /v3/spaces` */
export const newSpace = z.strictObject({
  name,
  relationships: z.strictObject({ organization: relationship }),
  metadata: newMetadata,
});

/** `PATCH /v3/spaces/{guid}` */
export const changedSpace = z.strictObject({ name: name.optional(), metadata: changedMetadata });
