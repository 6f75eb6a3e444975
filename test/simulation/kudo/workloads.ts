import type { Person } from './person.ts';

/** What people do with Instances. */
export const workloads: Readonly<Record<string, (person: Person) => Promise<void>>> = {
  /** A quiet change lets all pods live, the other replaces each of them once. */
  async change(person) {
    await person.install();
    await person.ended('deploy COMPLETE', 1);
    const before = person.pods();
    await person.set({ NODES: '3' });
    await person.ended('deploy COMPLETE', 2);
    person.kept(before, 2);
    await person.set({ LEVEL: 'debug' });
    await person.ended('deploy COMPLETE', 3);
    person.kept(before, 0);
  },
  /** A Job that fails ends its plan; with another verdict it is made anew. */
  async 'failing job'(person) {
    await person.install();
    await person.ended('deploy COMPLETE', 1);
    await person.set({ VERDICT: '1' });
    await person.ended('check FATAL_ERROR', 1);
    await person.set({ VERDICT: '0' });
    await person.ended('check COMPLETE', 1);
  },
  async upgrade(person) {
    await person.install();
    await person.ended('deploy COMPLETE', 1);
    const before = person.pods();
    await person.turn();
    await person.ended('upgrade COMPLETE', 1);
    person.kept(before, 0);
  },
  /** Files of a pod become a ConfigMap and a Secret. */
  async pipe(person) {
    await person.install();
    await person.ended('deploy COMPLETE', 1);
    await person.trigger('generate');
    await person.ended('generate COMPLETE', 1);
  },
  /** A plan of its own says farewell. */
  async removal(person) {
    await person.install();
    await person.ended('deploy COMPLETE', 1);
    await person.remove();
    await person.gone();
  },
};
