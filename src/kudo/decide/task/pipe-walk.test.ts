import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Action } from '../../../control/decision.ts';
import type { Outcomes } from '../../../control/outcome.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { refOf, type Thing, thingId, type World } from '../view.ts';
import { keys, pipePlace, stored } from './pipe.fixture.ts';
import { runPipe } from './pipe.ts';
import type { Collection } from './pipe-work.ts';
import { preparePipe } from './prepare-pipe.ts';
import type { TaskResult } from './run.ts';
import { thingsOf } from './things-of.ts';

const place = pipePlace();
const work = preparePipe(keys, place, 'waiter:1');

/** A cluster with one pod and two artifacts, in which anything may happen between two looks. */
class Cluster {
  readonly objects = new Map<string, AnyObject>();
  outcomes: Outcomes = {};
  execution = 1;
  now = 0;
  #uids = 0;

  look(): TaskResult {
    const world: Record<string, Thing> = {};
    for (const ref of thingsOf([{ phase: '', step: '', tasks: [work] }])) {
      const object = this.objects.get(thingId(ref));
      world[thingId(ref)] = { is: 'known', namespaced: true, watched: true, ...(object && { object }) };
    }
    if (work.does !== 'pipe') throw new Error('the task of the fixture cannot be done');
    return runPipe(work, {
      world: world as World,
      restarting: { executionUid: `execution-${this.execution}` },
      outcomes: this.outcomes,
      now: this.now,
    });
  }

  /** Does what was decided; of a call only the first `most` writes, as if the process died then. */
  act(actions: readonly Action[], most = Number.POSITIVE_INFINITY): void {
    for (const action of actions) {
      if (action.do === 'apply') this.#put(action.object);
      else if (action.do === 'delete') this.#delete(action.of.uid);
      else if (action.do === 'call' && this.outcomes[action.id] === undefined) {
        const { pod, files } = action.args as unknown as Collection;
        const live = this.pod;
        if (live?.metadata.uid !== pod.uid || live.metadata.deletionTimestamp !== undefined) continue;
        for (const { object } of files.slice(0, most)) this.#put(object, { from: pod.uid });
        if (most < files.length) continue;
        const outcome = { result: 'done', at: this.now, since: this.now, value: {} } as const;
        this.outcomes = { ...this.outcomes, [action.id]: outcome };
      }
    }
  }

  get pod(): AnyObject | undefined {
    return [...this.objects.values()].find(({ kind }) => kind === 'Pod');
  }

  get artifacts(): readonly AnyObject[] {
    return [...this.objects.values()].filter(({ kind }) => kind !== 'Pod');
  }

  /** The node gets on with the pod. */
  progress(phase: 'Running' | 'Failed'): void {
    const { pod } = this;
    if (!pod) return;
    if (pod.metadata.deletionTimestamp !== undefined) this.objects.delete(thingId(refOf(pod)));
    else {
      const status = { phase, conditions: [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }] };
      this.objects.set(thingId(refOf(pod)), { ...pod, status } as AnyObject);
    }
  }

  remove(object: AnyObject | undefined): void {
    if (object) this.objects.delete(thingId(refOf(object)));
  }

  #put(object: KubeObject, more: object = {}): void {
    this.objects.set(thingId(refOf(object)), stored(object, `uid-${++this.#uids}`, more));
  }

  #delete(uid: string): void {
    for (const [id, object] of this.objects) {
      if (object.metadata.uid !== uid) continue;
      const metadata = { ...object.metadata, deletionTimestamp: 'soon' };
      this.objects.set(id, { ...object, metadata } as AnyObject);
    }
  }
}

const happenings = {
  'a turn': (cluster: Cluster) => cluster.act(cluster.look().actions),
  'a turn that dies before it acts': (cluster: Cluster) => {
    cluster.look();
    cluster.outcomes = {};
  },
  'a turn that dies in the middle of a call': (cluster: Cluster) => {
    cluster.act(cluster.look().actions, 1);
    cluster.outcomes = {};
  },
  'a turn that dies after it acted': (cluster: Cluster) => {
    cluster.act(cluster.look().actions);
    cluster.outcomes = {};
  },
  'the node gets on': (cluster: Cluster) => cluster.progress('Running'),
  'the pod is evicted': (cluster: Cluster) => cluster.progress('Failed'),
  'somebody deletes the pod': (cluster: Cluster) => cluster.remove(cluster.pod),
  'somebody deletes an artifact': (cluster: Cluster) => cluster.remove(cluster.artifacts[0]),
  'another execution begins': (cluster: Cluster) => {
    cluster.execution += 1;
  },
  'time passes': (cluster: Cluster) => {
    cluster.now += 6_000;
  },
} as const;

type Happening = keyof typeof happenings;
const toTheCall: readonly Happening[] = ['a turn', 'the node gets on', 'a turn that dies in the middle of a call'];
const toTheEnd: readonly Happening[] = ['a turn', 'the node gets on', 'a turn', 'a turn', 'the node gets on'];

it('gets to its end from wherever it was left, with all artifacts from one pod of the last execution', () => {
  const names = Object.keys(happenings) as Happening[];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names), { maxLength: 40 }), (story) => {
      const cluster = new Cluster();
      for (const name of story) happenings[name](cluster);
      let result = cluster.look();
      for (let turn = 0; turn < 20 && result.is !== 'done'; turn += 1) {
        cluster.act(result.actions);
        cluster.progress('Running');
        cluster.now += 6_000;
        result = cluster.look();
      }
      expect(result.is).toBe('done');
      expect(cluster.artifacts).toHaveLength(2);
      expect(new Set(cluster.artifacts.map(({ from }) => from)).size).toBe(1);
      for (const { metadata } of cluster.artifacts) {
        expect(metadata.annotations?.['kudo.dev/last-plan-execution-uid']).toBe(`execution-${cluster.execution}`);
      }
      expect(cluster.pod === undefined || cluster.pod.metadata.deletionTimestamp !== undefined).toBe(true);
    }),
    { numRuns: 200, examples: [[[...toTheEnd, 'somebody deletes an artifact', ...toTheCall]]] },
  );
});
