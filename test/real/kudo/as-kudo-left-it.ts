import type { AnyObject, JsonObject } from '../../../src/kube/object.ts';
import { annotations } from '../../../src/kudo/keys.ts';
import { packageFolder } from './packages.ts';
import type { KudoWorld } from './world.ts';

/** Where KUDO wrote which annotation: up to 0.12 all of them on pod templates too, since 0.13 only two others. */
export type Layout = 'up to 0.12' | 'since 0.13';

const uid = '5a0e7f2c-3f1b-4a55-9a66-0d2f6f1f9c11';
const place = {
  [annotations.plan]: 'deploy',
  [annotations.phase]: 'store',
  [annotations.step]: 'workloads',
  [annotations.planUid]: uid,
};

const nested: Readonly<Record<Layout, Readonly<Record<string, string>>>> = {
  'up to 0.12': { ...place, [annotations.operatorVersion]: '0.1.0' },
  'since 0.13': {
    [annotations.operatorVersion]: '0.1.0',
    [annotations.dependenciesHash]: '5aaf9463a4ed3d6cbedf50b00d1ebb06',
  },
};

/**
 * An Instance of the installed package `store` with its objects, as KUDO leaves them: their annotations, their field
 * managers, and a status of its shape. Each object has one field more than the templates know: KUDO's package had it.
 */
export async function leaveAsKudo(world: KudoWorld, name: string, layout: Layout): Promise<void> {
  const create = (object: object, manager: string): Promise<string> =>
    world.kubectl(['create', '--validate=false', '--field-manager', manager, '-f', '-'], JSON.stringify(object));
  await create(
    {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name, labels: { [labelKeys.operator]: 'store' } },
      spec: { operatorVersion: { name: 'store-0.1.0' }, planExecution: {} },
    },
    'kubectl-kudo',
  );
  const { metadata } = await world.instance(name);
  const rendered = await world.rendered(packageFolder('store'), name);
  for (const object of rendered) await create(asKudo(object, name, metadata.uid ?? '', layout), 'kudo-manager');
  const status = JSON.stringify({ status: { planStatus: { deploy: done }, conditions: [] } });
  const patch = ['patch', 'instance', name, '--subresource=status', '--type=merge', '-p', status];
  await world.kubectl([...patch, '--field-manager', 'kudo-manager']);
}

const labelKeys = { heritage: 'heritage', instance: 'kudo.dev/instance', operator: 'kudo.dev/operator' } as const;

const done = {
  name: 'deploy',
  status: 'COMPLETE',
  uid,
  lastUpdatedTimestamp: '2021-03-01T10:00:00Z',
  phases: [
    {
      name: 'store',
      status: 'COMPLETE',
      steps: [
        { name: 'settings', status: 'COMPLETE' },
        { name: 'workloads', status: 'COMPLETE' },
      ],
    },
  ],
};

function asKudo(object: AnyObject, name: string, ownerUid: string, layout: Layout): AnyObject {
  const labels = { [labelKeys.heritage]: 'kudo', [labelKeys.instance]: name, [labelKeys.operator]: 'store' };
  const version = layout === 'up to 0.12' ? { [annotations.operatorVersion]: '0.1.0' } : {};
  const made: AnyObject = {
    ...withNested(object, labels, nested[layout]),
    metadata: {
      name: object.metadata.name ?? '',
      labels: { ...labels, since: '2021' },
      annotations: { ...place, ...version },
      ownerReferences: [
        {
          ...{ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name, uid: ownerUid },
          ...{ controller: true, blockOwnerDeletion: true },
        },
      ],
    },
    ...(object.kind === 'ConfigMap' && { data: { ...(object.data as JsonObject), forgotten: 'long ago' } }),
  };
  const applied = { [annotations.lastApplied]: JSON.stringify(made) };
  return { ...made, metadata: { ...made.metadata, annotations: { ...made.metadata.annotations, ...applied } } };
}

interface Template {
  readonly metadata?: { readonly labels?: JsonObject };
}

/** KUDO labels pods, too. */
function withNested(
  object: AnyObject,
  labels: Readonly<Record<string, string>>,
  nestedAnnotations: Readonly<Record<string, string>>,
): AnyObject {
  const spec = object.spec as (JsonObject & { readonly template?: Template }) | undefined;
  if (!spec?.template) return object;
  const { template } = spec;
  const metadata = { labels: { ...template.metadata?.labels, ...labels }, annotations: nestedAnnotations };
  return { ...object, spec: { ...spec, template: { ...template, metadata } } } as AnyObject;
}
