import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { group } from '../keys.ts';

const spec = z.object({
  description: z.string().optional(),
  kudoVersion: z.string().optional().describe('The least version of KUDO that the package was written for.'),
  kubernetesVersion: z.string().optional().describe('The least version of Kubernetes; checked when it is installed.'),
  maintainers: z.array(z.object({ name: z.string().optional(), email: z.string().optional() })).optional(),
  url: z.string().optional(),
  namespaceManifest: z.string().optional().describe('The template of the Namespace that `--create-namespace` makes.'),
});

export const operator = defineKind({
  group,
  version: 'v1beta1',
  kind: 'Operator',
  plural: 'operators',
  scope: 'Namespaced',
  description: 'A package of which versions can be installed.',
  spec,
  columns: [
    { name: 'Description', type: 'string', path: '.spec.description', description: 'What it is.' },
    { name: 'Age', type: 'date', path: '.metadata.creationTimestamp', description: 'When it was installed.' },
  ],
});

type Written = Body<typeof operator>;

export type OperatorSpec = Exact<Written['spec']>;
export type Operator = KubeObject & { readonly spec: OperatorSpec };
