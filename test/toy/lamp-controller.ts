import type { Caches } from '../../src/control/caches.ts';
import type { Controller, Foreign } from '../../src/control/controller.ts';
import type { Ports } from '../../src/control/port.ts';
import type { FieldTree } from '../../src/control/schema-fit.ts';
import type { Sealed } from '../../src/control/sealed.ts';
import { owned } from '../../src/control/trigger.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { decide } from './decide.ts';
import { type Look, observe } from './observe.ts';
import { type Lamp, lamp } from './resource.ts';
import type { LampView } from './view.ts';

export interface LampOptions {
  readonly ports: Ports;
  readonly look: Look;
  readonly seal: (value: string) => Sealed;
  readonly foreign?: Foreign;
  readonly schema?: FieldTree;
}

/** The controller of lamps: which kinds are watched, how a change finds its lamp, observe and decide tied together. */
export function lampController(caches: Caches, options: LampOptions): Controller<Lamp, LampView> {
  const lamps = caches.open<Lamp>({ type: lamp.type, managedFields: options.foreign !== undefined });
  const pods = caches.open<AnyObject, 'owner'>({
    type: kinds.pods,
    indexes: { owner: ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid) },
  });
  const configMaps = caches.open({ type: kinds.configMaps });
  return {
    name: 'lamp',
    primary: lamps,
    triggers: [owned(pods, lamp.type), owned(configMaps, lamp.type)],
    ports: options.ports,
    observe: (_key, glance) => observe({ pods, look: options.look, seal: options.seal }, glance),
    decide,
    ...(options.foreign && { foreign: options.foreign }),
    ...(options.schema && { schema: options.schema }),
  };
}
