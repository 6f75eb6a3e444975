import type { AnyObject } from '../../kube/object.ts';
import type { Strategy } from '../resource.ts';
import { fields, fill, inside, keep } from './draft.ts';
import { validateMeta } from './object-meta.ts';
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
  prepareForUpdate(draft, before) {
    keep(draft, before, 'status');
  },
  validate: (object, before) => validateMeta(object, before, dns1123Subdomain),
  fields: (object) => ({ 'spec.unschedulable': String(asNode(object).spec?.unschedulable === true) }),
};
