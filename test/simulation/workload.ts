import type { Factory } from '../toy/factory.ts';
import type { Lamp } from '../toy/resource.ts';
import { servingBatch } from '../toy/view.ts';

/** What a person can do to a lamp, and how to wait for what comes of it. */
export interface Person {
  create(spec: Partial<Lamp['spec']>): Promise<void>;
  edit(spec: Partial<Lamp['spec']>): Promise<void>;
  remove(): Promise<void>;
  lamp(): Promise<Lamp | undefined>;
  /** Until the lamp is as asked and nothing is under way; a violation when that does not happen. */
  settle(): Promise<void>;
  /** Until the lamp is gone. */
  gone(): Promise<void>;
  pause(ms: number): Promise<void>;
  readonly factory: Factory;
}

/** The lamp blinks: that is the state that must not be lost. */
async function blink(person: Person, times: number): Promise<void> {
  const lamp = await person.lamp();
  person.factory.blink((lamp && servingBatch(lamp)) ?? '', times);
}

/** Workloads in which people do not wait: how many transitions there are depends on who is faster. */
export const racing: ReadonlySet<string> = new Set(['edits', 'removal']);

/** What people do, by name. */
export const workloads: Readonly<Record<string, (person: Person) => Promise<void>>> = {
  async redeploy(person) {
    await person.create({ replicas: 2 });
    await person.settle();
    await blink(person, 5);
    await person.edit({ image: 'bulb:2' });
    await person.settle();
    await blink(person, 3);
    await person.edit({ image: 'bulb:3' });
    await person.settle();
  },
  async edits(person) {
    await person.create({ replicas: 2 });
    await person.pause(25);
    await person.edit({ image: 'bulb:2' });
    await person.settle();
    await blink(person, 5);
    await person.edit({ image: 'bulb:3' });
    await person.pause(60);
    await person.edit({ image: 'bulb:4' });
    await person.pause(90);
    await person.edit({ image: 'bulb:5' });
    await person.settle();
  },
  async restart(person) {
    await person.create({ replicas: 2 });
    await person.settle();
    await blink(person, 5);
    await person.edit({ restartNonce: 1 });
    await person.settle();
    await person.edit({ replicas: 3 });
    await person.settle();
    await person.edit({ replicas: 1 });
    await person.settle();
    await person.edit({ image: 'bulb:2' });
    await person.settle();
  },
  async removal(person) {
    await person.create({ replicas: 1 });
    await person.settle();
    await person.edit({ image: 'bulb:2' });
    await person.pause(40);
    await person.remove();
    await person.gone();
  },
};
