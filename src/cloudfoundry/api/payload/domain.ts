import * as z from 'zod';
import { changedMetadata, ignored, newMetadata } from './parse-body.ts';

const domainName = /^(?=.{1,253}$)([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/i;

/** `POST /v3/domains` */
export const newDomain = z.strictObject({
  name: z
    .string()
    .min(1)
    .refine((text) => text === '' || domainName.test(text), {
      message: 'name does not comply with RFC 1035 standards: use labels of letters, digits and "-", joined by dots',
    }),
  internal: ignored,
  router_group: ignored,
  relationships: ignored,
  metadata: newMetadata,
});

/** `PATCH /v3/domains/{guid}` */
export const changedDomain = z.strictObject({ metadata: changedMetadata });
