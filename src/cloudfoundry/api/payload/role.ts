import * as z from 'zod';
import { ignored, relationship } from './parse-body.ts';

/** The roles of the CF API, in the order in which an error names them. */
export const roleTypes = [
  'space_manager',
  'space_auditor',
  'space_developer',
  'space_supporter',
  'organization_user',
  'organization_auditor',
  'organization_manager',
  'organization_billing_manager',
] as const;

export type RoleType = (typeof roleTypes)[number];

const user = z
  .strictObject({ username: z.string().min(1).optional(), guid: z.string().min(1).optional(), origin: ignored })
  .refine(({ username, guid }) => username !== undefined || guid !== undefined, {
    message: 'relationships.user.data.username cannot be blank',
  });

/** `POST /v3/roles` */
export const newRole = z
  .strictObject({
    type: z.enum(roleTypes),
    relationships: z.strictObject({
      user: z.strictObject({ data: user }),
      organization: relationship.optional(),
      space: relationship.optional(),
    }),
  })
  .superRefine(({ type, relationships }, context) => {
    const place = type.startsWith('space_') ? 'space' : 'organization';
    const other = place === 'space' ? 'organization' : 'space';
    if (!relationships[place]) context.addIssue({ code: 'custom', message: `relationships.${place} is required` });
    if (relationships[other]) {
      context.addIssue({ code: 'custom', message: `relationships.${other} must be blank for the role ${type}` });
    }
  });
