import { expect } from 'vitest';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import { kudoWorkloads } from '../../../src/kudo/portrait/kudo-workloads.ts';
import { instance } from '../../../src/kudo/resources/instance.ts';
import type { Steering, VerbName, Wish } from '../../../src/portrait/verb.ts';
import type { Around, Workload } from '../../../src/portrait/workload.ts';
import type { KudoStage } from '../kudo-stage.ts';

const namespace = 'default';

/** Instances, as command line and dashboard know them. */
export function instances(): Workload {
  return kudoWorkloads[0] ?? expect.fail('the family has no workload');
}

/** The cluster as whoever asks for a portrait sees it. */
export function aroundOf(stage: KudoStage): Around {
  const { world } = stage.embedded;
  return {
    now: stage.clock.now(),
    list: (type: ResourceType) => world.list<AnyObject>(type, { namespace }),
    find: (type: ResourceType, where: string, name: string) => world.get<AnyObject>(type, where, name) ?? 'absent',
  };
}

export function objectOf(stage: KudoStage, name: string): AnyObject {
  return stage.find<AnyObject>(instance.type, name) ?? expect.fail(`there is no Instance ${name}`);
}

/** What a verb answers now. */
export function asked(stage: KudoStage, name: string, verb: VerbName, wish: Partial<Wish> = {}): Steering {
  const found = instances().verbs.find((one) => one.name === verb) ?? expect.fail(`there is no verb ${verb}`);
  return found.request(objectOf(stage, name), aroundOf(stage), { id: `wish-${stage.clock.now()}`, ...wish });
}

/** Does what a verb answers, as anybody with the rights would, and says what was said. */
export async function steer(stage: KudoStage, name: string, verb: VerbName, wish: Partial<Wish> = {}): Promise<string> {
  const steering = asked(stage, name, verb, wish);
  if (steering.is === 'refused') return expect.fail(`${verb} is refused: ${steering.why}`);
  for (const write of steering.writes) {
    if (write.do !== 'patch') expect.fail(`${verb} does more than to patch`);
    const { type, patch } = write;
    await stage.person
      .resource(type)
      .patch({ namespace: write.namespace, name: write.name }, { type: 'json', body: [...patch] });
  }
  return steering.said;
}
