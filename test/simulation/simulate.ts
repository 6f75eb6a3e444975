import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { type AnyController, type OperatorOptions, runOperator } from '../../src/control/operator.ts';
import type { Pki } from '../../src/embedded/auth/pki.ts';
import type { World } from '../../src/embedded/world.ts';
import { Client } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/error.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';
import { Calls, Hazards } from './hazards.ts';
import { wrongStatus } from './oracles/conditions.ts';
import { overheard } from './oracles/overheard.ts';
import { Secrecy } from './oracles/secrecy.ts';
import { Abandoned, Patience } from './patience.ts';
import type { Plan } from './plan.ts';
import { Process } from './process.ts';
import type { Subject, Writes } from './subject.ts';
import { Weather } from './weather.ts';

/** What became of a run. */
export interface Report {
  /** What must not have been; empty in a good run. */
  readonly violations: readonly string[];
  /** The calls that processes made, in order: faults are placed by their number. */
  readonly calls: readonly string[];
  /** Those that a process was about to send when it was stopped, and sent when it ran again. */
  readonly late: readonly string[];
  /** How many of them all were made while people were at work. */
  readonly busy: number;
  readonly writes: Writes;
  /** How often each call to the outside took effect. */
  readonly effects: Readonly<Record<string, number>>;
  readonly end: unknown;
  /** What people have written, as it stands in the end: see `Subject.fresh`. */
  readonly written: readonly AnyObject[];
  /** How long it took, in its own time. */
  readonly virtualMs: number;
}

export interface SimulateOptions {
  /** Exchanges a controller, to see whether the simulation notices: for mistakes that are made on purpose. */
  readonly alter?: (name: string, controller: AnyController) => AnyController;
  /** Changes what is sent, behind the back of whoever decided on it: for the same purpose. */
  readonly send?: (request: Request) => Request;
  /** Processes act without asking for a lease: for the same purpose. */
  readonly leaderless?: boolean;
  /** Nobody plays the workload: these are there from the start, and all else must come of them. */
  readonly given?: readonly AnyObject[];
  /** For how long nothing may happen in the end. Default: a quarter of an hour. */
  readonly quietMs?: number;
}

/** A process that ended or died is started again after this long, as a kubelet would. */
const restartMs = 3_000;
/** So long may the cluster itself take to come to rest, or an act to be dealt with; so long must nothing happen then. */
const settlingMs = 60_000;
const actMs = 10 * 60_000;
const longQuietMs = 15 * 60_000;
/** How often somebody who wants to do something, and cannot yet, tries. */
const actAgainMs = 100;
/** As long as anything that goes wrong lasts, and is felt. */
const recoveryMs = 20 * 60_000;

/**
 * Runs an operator on the embedded server through one plan, from the first request to the quiet at the end.
 *
 * Everything that happens follows from the plan: time is virtual, latencies come from the seed, and faults strike at
 * the calls that the plan names. The operator runs with its leader lease, and is started again whenever it dies.
 */
export async function simulate(
  subject: Subject,
  plan: Plan,
  pki: Pki,
  { alter = (_, controller) => controller, send, leaderless, quietMs = longQuietMs, given }: SimulateOptions = {},
): Promise<Report> {
  const clock = new VirtualClock();
  const patience = new Patience(clock);
  const scene = await subject.open({ clock, seed: plan.seed, pki, patience });
  const { server, oracle } = scene;
  const violate = (what: string): void => oracle.violate(what);
  const secrecy = new Secrecy(server.world, violate);
  const custom = customTypes(server.world);
  for (const type of custom) {
    server.world.watch(type, (change) => {
      wrongStatus(change).forEach(violate);
      if (change.after) secrecy.lookAt(change.after);
    });
  }
  const log = overheard(Object.values(plan.faults), secrecy, violate);
  const calls = new Calls();
  const weather = new Weather(clock);
  const random = seededRandom(plan.seed + 1);
  const living = new Set<Process>();
  let started = 0;
  let over = false;

  const acts = new Map(Object.entries(plan.acts ?? {}).map(([call, name]) => [Number(call), name]));
  const act = async (call: number): Promise<void> => {
    const name = acts.get(call);
    if (name === undefined) return;
    if (scene.canAct?.(name) === false) {
      clock.after(actAgainMs, () => void act(call));
      return;
    }
    acts.delete(call);
    if (subject.mischief?.[name]?.final) patience.abandon();
    await scene.act?.(name);
  };

  const start = (): void => {
    if (over) return;
    const process = new Process(clock);
    living.add(process);
    started += 1;
    const hazards = new Hazards({
      plan,
      clock,
      random,
      process,
      calls,
      weather,
      onPort: (id) => oracle.judgeCall(id),
      onAct: act,
      onDeputy: start,
      onDelay: (ms) => patience.forgive(ms),
      violate,
    });
    void process.death.then(() => {
      living.delete(process);
      clock.after(restartMs, () => living.size === 0 && start());
    });
    const reached = scene.transport();
    const sent: Transport = send ? { ...reached, request: (request) => reached.request(send(request)) } : reached;
    const wire = quietly(hazards.wire(sent), server.transport(), process, weather);
    const client = new Client(wire, { clock: process });
    void runOperator({
      client,
      clock: process,
      random,
      log,
      metrics: createMetrics({ process: false }),
      signal: new AbortController().signal,
      instance: `operator-${started}`,
      ...(!leaderless && { lease: { namespace: 'default', name: 'operator' } }),
      freeze: true,
      controllers: altered(scene.controllers({ client, clock: process, random, hazards }), (name, controller) =>
        hazards.looks.of(name, alter(name, controller)),
      ),
    }).then(() => process.kill());
  };
  start();

  if (given) await createAll(new Client(server.transport(), { clock }), server.world, given);
  else
    await scene.play(plan.workload).catch((error) => {
      if (!(error instanceof Abandoned)) throw error;
    });
  const busy = calls.made.length;
  let struck = calls.struck;
  // Also what was to be done at a call that has not been made: fewer may be, where something went wrong.
  for (const call of [...acts.keys()]) await act(call);
  // Pods may still be starting or ending; after that nothing is left to do, and nothing may be done.
  await clock.advance(plan.acts || given ? actMs : settlingMs);
  await clock.advance(weather.feltFor(actMs));
  let before: number;
  do {
    while (calls.struck > struck) {
      // Something went wrong only now, while all was at rest: it is recovered from, and then the quiet begins anew.
      struck = calls.struck;
      await clock.advance(recoveryMs);
    }
    before = calls.made.length;
    await clock.advance(quietMs);
  } while (calls.struck > struck);
  const more = calls.made.slice(before).filter((call) => !oracle.isIdle(call));
  if (more.length > 0) violate(`calls were made although nothing changed: ${more.join(', ').slice(0, 2_000)}`);
  oracle.judgeEnd();
  secrecy.lookAround([...custom, kinds.configMaps, kinds.statefulSets, kinds.deployments]);
  over = true;
  for (const process of living) process.kill();
  const report = {
    violations: oracle.violations,
    calls: calls.made,
    late: calls.late,
    busy,
    writes: oracle.writes,
    effects: oracle.effects(),
    end: oracle.end(),
    written: (subject.fresh?.types ?? []).flatMap((type) => server.world.list(type)).map(asWritten),
    virtualMs: clock.monotonic(),
  };
  await server.close();
  return report;
}

/** The leader lease and events do not count as calls: the one is there all the time, the others never matter. */
function quietly(hazardous: Transport, plain: Transport, process: Process, weather: Weather): Transport {
  return {
    ...hazardous,
    request: (request) => {
      const quiet =
        /\/leases\/|\/leases\?|\/leases$|\/events/.test(request.path) && !request.path.includes('watch=true');
      if (!quiet) return hazardous.request(request);
      const answer = weather.isOut
        ? Promise.reject(new KubeError('unreachable', `${request.method} ${request.path}: nobody answers`))
        : plain.request(request);
      return process.receive(answer);
    },
  };
}

function altered(
  controllers: OperatorOptions['controllers'],
  alter: NonNullable<SimulateOptions['alter']>,
): OperatorOptions['controllers'] {
  return Object.fromEntries(
    Object.entries(controllers).map(([name, make]) => [name, (caches) => alter(name, make(caches))]),
  );
}

/** What a person would have to write to get this. */
function asWritten({ apiVersion, kind, metadata, spec }: AnyObject): AnyObject {
  const { name = '', namespace = '' } = metadata;
  return { apiVersion, kind, metadata: { name, namespace }, ...(spec !== undefined && { spec }) };
}

async function createAll(client: Client, world: World, objects: readonly AnyObject[]): Promise<void> {
  for (const object of objects) {
    const type = world.types().find((one) => one.kind === object.kind && object.apiVersion.startsWith(one.group));
    if (type) await client.resource<AnyObject>(type).create(object);
  }
}

type Definition = KubeObject & { readonly spec: { readonly group: string } };

function customTypes(world: World): readonly ResourceType[] {
  const groups = world.list<Definition>(kinds.customResourceDefinitions).map(({ spec }) => spec.group);
  return world.types().filter(({ group }) => groups.includes(group));
}
