import type { Person } from './person.ts';

/** Workloads in which people do not wait: how many transitions there are depends on who is faster. */
export const racing: ReadonlySet<string> = new Set(['edits', 'removal']);

/** What people do, by name. */
export const workloads: Readonly<Record<string, (person: Person) => Promise<void>>> = {
  async redeploy(person) {
    await person.create({ replicas: 2 });
    await person.settle();
    await person.blink(5);
    await person.edit({ image: 'bulb:2' });
    await person.settle();
    await person.blink(3);
    await person.edit({ image: 'bulb:3' });
    await person.settle();
  },
  async edits(person) {
    await person.create({ replicas: 2 });
    await person.pause(25);
    await person.edit({ image: 'bulb:2' });
    await person.settle();
    await person.blink(5);
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
    await person.blink(5);
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
  /** Somebody's copy has the name of a bulb that is to be made. */
  async stranger(person) {
    await person.create({ replicas: 2 });
    await person.settle();
    await person.blink(5);
    await person.copyNextBulb();
    await person.edit({ image: 'bulb:2' });
    await person.pause(2_000);
    await person.removeCopy();
    await person.settle();
  },
  /** Intents cannot be written down for a while: nothing may be done about them meanwhile. */
  async forgetful(person) {
    await person.create({ replicas: 1 });
    await person.settle();
    await person.blink(5);
    await person.dropMeasureId();
    await person.edit({ image: 'bulb:2' });
    await person.pause(45_000);
    await person.keepAll();
    await person.settle();
  },
};
