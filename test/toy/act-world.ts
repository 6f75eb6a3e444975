import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { type Acted, act, type Errand } from '../../src/control/act.ts';
import type { Hands } from '../../src/control/actions/hands.ts';
import { Journal } from '../../src/control/actions/journal.ts';
import { Caches } from '../../src/control/caches.ts';
import { Calls } from '../../src/control/calls.ts';
import { type Action, type EventAction, type Ref, refTo } from '../../src/control/decision.ts';
import { kindTable } from '../../src/control/kinds.ts';
import { silent } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { OutcomeBook } from '../../src/control/outcome.ts';
import type { Verb } from '../../src/control/port.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { SmallApi } from './small-api.ts';

/** A kind without a schema. */
export const lamps = { group: 'toy.dev', version: 'v1', kind: 'Lamp', plural: 'lamps', namespaced: true };
export const owner = { apiVersion: 'toy.dev/v1', kind: 'Lamp', name: 'l', uid: 'uid-1', controller: true };

export const configMap = (name: string, data: Record<string, unknown>, metadata: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'a', ownerReferences: [owner], ...metadata },
  data,
});

/** A lamp in a small API, with everything that actions are done with. */
export async function actWorld(verbs: Record<string, Verb> = {}) {
  const clock = new VirtualClock();
  const api = new SmallApi(clock);
  const client = new Client(api.transport(), { clock });
  const common = { client, clock, random: seededRandom(1), log: silent, metrics: createMetrics({ process: false }) };
  const caches = new Caches({ ...common, freeze: true });
  for (const type of [lamps, kinds.configMaps, kinds.pods]) caches.open({ type });
  const stop = new AbortController();
  caches.start(stop.signal);
  const outcomes = new OutcomeBook(clock);
  const late: string[] = [];
  const said: EventAction[] = [];
  const hands: Hands = {
    client,
    clock,
    kinds: kindTable([lamps]),
    mirror: caches,
    calls: new Calls({ factory: verbs }, outcomes, (key) => late.push(key)),
    events: { record: (event) => said.push(event) },
    manager: 'cutover',
  };
  const created = await client
    .resource(lamps)
    .create({ apiVersion: 'toy.dev/v1', kind: 'Lamp', metadata: { name: 'l', namespace: 'a' }, spec: {} });
  await clock.advance(10);
  api.requests.length = 0;
  const lamp = (): AnyObject => api.list('lamps')[0] as AnyObject;
  /** The lamp as it was decided on; by default as it is. */
  const run = (
    actions: readonly Action[],
    errand: Partial<Errand> = {},
    tools = hands,
    view = refTo(lamp()),
  ): Promise<Acted> =>
    act({ actions, because: 'of a test' }, tools, {
      key: 'a/l',
      journal: new Journal(lamps, view, errand.mayAct ?? (() => true)),
      outcomes,
      mayAct: () => true,
      signal: new AbortController().signal,
      ...errand,
    });
  return { api, client, clock, caches, hands, outcomes, late, said, lamp, run, created };
}

export const event = (about: Ref, reason: Capitalize<string> = 'Done'): EventAction => ({
  do: 'event',
  about,
  reason,
  note: 'n',
});
