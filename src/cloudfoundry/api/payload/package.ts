import * as z from 'zod';
import { changedMetadata, newMetadata, relationship } from './parse-body.ts';

/** `POST /v3/packages`. A docker package names its image, and may bring what its registry asks for. */
export const newPackage = z
  .strictObject({
    type: z.enum(['bits', 'docker']),
    relationships: z.strictObject({ app: relationship }),
    data: z
      .strictObject({
        image: z.string().optional(),
        username: z.string().nullish(),
        password: z.string().nullish(),
      })
      .nullish(),
    metadata: newMetadata,
  })
  .superRefine(({ type, data }, context) => {
    const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
    if (type === 'bits' && data?.image) refuse('data cannot name an image in a package of type bits');
    if (type === 'bits') return;
    if (!data?.image) refuse('data.image cannot be blank');
    else if (!/^[^\s\p{Cc}]{1,512}$/u.test(data.image)) refuse('data.image must be the reference of an image');
    if (Boolean(data?.username) !== Boolean(data?.password)) {
      refuse('data.username and data.password must be given together');
    }
  });

/** `PATCH /v3/packages/{guid}`. */
export const changedPackage = z.strictObject({ metadata: changedMetadata });

export type NewPackage = z.infer<typeof newPackage>;
