import type { Person } from './person.ts';

/** What people do with apps. */
export const workloads: Readonly<Record<string, (person: Person) => Promise<void>>> = {
  async push(person) {
    await person.push(1);
    await person.route();
    await person.scale(3);
    await person.runs(3);
    await person.scale(1);
    await person.runs(1);
  },
  /** Not one instance less serves meanwhile. */
  async 'rolling deployment'(person) {
    await person.push(2);
    await person.setEnv('second');
    const guid = await person.deploy({ strategy: 'rolling' });
    await person.deployment(guid, 'DEPLOYED');
    await person.runs(2);
  },
  async canary(person) {
    await person.push(2);
    const guid = await person.deploy({ strategy: 'canary' });
    await person.deployment(guid, 'PAUSED');
    await person.goOn(guid);
    await person.deployment(guid, 'DEPLOYED');
    await person.runs(2);
  },
  /** What ran before the stop ends before anything of the new revision begins. */
  async 'restart with a stop'(person) {
    await person.push(2);
    await person.setEnv('second');
    await person.restart();
    await person.runs(2);
    await person.stop();
    await person.stopped();
    await person.start();
    await person.runs(2);
  },
  async task(person) {
    await person.push(1);
    await person.task('migrate', 'echo migrated; sleep 2');
  },
  async removal(person) {
    await person.push(1);
    await person.route();
    await person.remove();
    await person.gone();
  },
};
