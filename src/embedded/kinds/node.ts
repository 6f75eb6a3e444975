import type { AnyObject } from '../../kube/object.ts';
import type { Strategy } from '../resource.ts';
import { each, fields, fill, inside, keep } from './draft.ts';
import { validateBuiltIn } from './object-meta.ts';
import type { Node } from './objects/cluster.ts';
import { canonicalResources } from './quantity.ts';
import { dns1123Subdomain } from './syntax.ts';

const asNode = (object: AnyObject): Node => object as unknown as Node;

const unknownMachine = {
  architecture: '',
  bootID: '',
  containerRuntimeVersion: '',
  kernelVersion: '',
  kubeProxyVersion: '',
  kubeletVersion: '',
  machineID: '',
  operatingSystem: '',
  osImage: '',
  systemUUID: '',
};

/** What every node has until the node controller finds it ready. */
export const notReadyTaint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** Nodes. Unlike other kinds, a node may be created with its status: that is how a kubelet registers. */
export const nodeStrategy: Strategy = {
  defaults(draft) {
    inside(draft, 'spec');
    const status = inside(draft, 'status');
    if (!status) return;
    fill(status, { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: unknownMachine });
    canonicalResources(status.capacity);
    if (fields(status.capacity)) fill(status, { allocatable: structuredClone(status.capacity) });
    canonicalResources(status.allocatable);
  },
  prepareForCreate(draft) {
    const spec = inside(draft, 'spec');
    const taints = each(spec?.taints);
    if (spec && !taints.some((taint) => taint.key === notReadyTaint.key)) spec.taints = [...taints, notReadyTaint];
  },
  prepareForUpdate(draft, before) {
    keep(draft, before, 'status');
  },
  validate: (object, before) => validateBuiltIn(object, before, dns1123Subdomain),
  fields: (object) => ({ 'spec.unschedulable': String(asNode(object).spec?.unschedulable === true) }),
};
