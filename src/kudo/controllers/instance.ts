import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { owned, type Trigger } from '../../control/trigger.ts';
import type { KubeObject } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideInstance } from '../decide/instance.ts';
import type { InstanceView } from '../decide/view.ts';
import { kudoManagers } from '../keys.ts';
import { instanceByLabel, instanceByOwner, openKudoCaches } from '../observe/caches.ts';
import { instanceView } from '../observe/instance-view.ts';
import { openKinds } from '../observe/kinds.ts';
import { Verdicts } from '../observe/verdicts.ts';
import { pipePort } from '../ports/pipe.ts';
import { type Instance, instance } from '../resources/instance.ts';
import type { KudoControllersOptions } from './options.ts';

/** Instances: what people change of them, and the plans that follow. */
export function instanceController(options: KudoControllersOptions): (caches: Caches) => AnyController {
  const { client, seal, randomBytes, waiterImage, namespaces = [] } = options;
  return (opened) => {
    const caches = openKudoCaches(opened, namespaces);
    const { instances, versions, objects, replicaSets, pods } = caches;
    const kinds = openKinds(client);
    const sources = { caches, client, kinds, verdicts: new Verdicts(), seal, randomBytes, waiterImage };
    const ofVersion: Trigger = {
      cached: versions as Trigger['cached'],
      keys: (version) => instances.by('version', keyOf(version)).map(keyOf),
    };
    // A child belongs to its parent without being controlled by it.
    const children: Trigger = owned(instances, instance.type);
    const controller: Controller<Instance, InstanceView> = {
      name: 'instance',
      primary: instances,
      triggers: [
        ofVersion,
        children,
        ...[...objects.values(), pods].map((cached): Trigger => {
          return { cached: cached as Trigger['cached'], keys: belongsTo };
        }),
        { cached: replicaSets as Trigger['cached'], keys: instanceByOwner },
      ],
      foundKinds: kinds.known,
      ports: { pipe: pipePort(client) },
      foreign: { managers: [...kudoManagers] },
      schema: { properties: { status: instance.status.field } },
      observe: (key, glance) => instanceView(key, glance, sources),
      decide: decideInstance,
    };
    return controller;
  };
}

/** The Instance that made it, and the one that its labels name: pods have only those. */
function belongsTo(object: KubeObject): readonly string[] {
  return instanceByLabel(object);
}
