import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import type { Log } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { runOperator } from '../../src/control/operator.ts';
import type { Pki } from '../../src/embedded/auth/pki.ts';
import { Client } from '../../src/kube/client.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { Calls, Hazards } from './hazards.ts';
import { Abandoned, Patience } from './patience.ts';
import type { Plan } from './plan.ts';
import { Process } from './process.ts';
import type { Oracle, Subject, Writes } from './subject.ts';

/** What became of a run. */
export interface Report {
  /** What must not have been; empty in a good run. */
  readonly violations: readonly string[];
  /** The calls that processes made, in order: faults are placed by their number. */
  readonly calls: readonly string[];
  /** How many of them were made while people were at work. */
  readonly busy: number;
  readonly writes: Writes;
  /** How often each call to the outside took effect. */
  readonly effects: Readonly<Record<string, number>>;
  readonly end: unknown;
  /** How long it took, in its own time. */
  readonly virtualMs: number;
}

/** A process that ended or died is started again after this long, as a kubelet would. */
const restartMs = 3_000;
/** So long may the cluster itself take to come to rest; so long must nothing happen then. */
const settlingMs = 60_000;
const quietMs = 15 * 60_000;

/**
 * Runs an operator on the embedded server through one plan, from the first request to the quiet at the end.
 *
 * Everything that happens follows from the plan: time is virtual, latencies come from the seed, and faults strike at
 * the calls that the plan names. The operator runs with its leader lease, and is started again whenever it dies.
 */
export async function simulate(subject: Subject, plan: Plan, pki: Pki): Promise<Report> {
  const clock = new VirtualClock();
  const patience = new Patience(clock);
  const scene = await subject.open({ clock, seed: plan.seed, pki, patience });
  const { server, oracle } = scene;
  const calls = new Calls();
  const random = seededRandom(plan.seed + 1);
  let over = false;
  let current: Process | undefined;

  const start = (): void => {
    if (over) return;
    const process = new Process(clock);
    current = process;
    const hazards = new Hazards({
      plan,
      clock,
      random,
      process,
      calls,
      onPort: (id) => oracle.judgeCall(id),
      violate: (what) => oracle.violate(what),
      shared: subject.shared,
    });
    void process.death.then(() => clock.after(restartMs, start));
    const wire = quietly(hazards.wire(scene.transport()), server.transport(), process);
    const client = new Client(wire, { clock: process });
    void runOperator({
      client,
      clock: process,
      random,
      log: listening(oracle),
      metrics: createMetrics({ process: false }),
      signal: new AbortController().signal,
      instance: 'operator',
      lease: { namespace: 'default', name: 'operator' },
      freeze: true,
      controllers: scene.controllers({ client, clock: process, random, hazards }),
    }).then(() => process.kill());
  };
  start();

  await scene.play(plan.workload).catch((error) => {
    if (!(error instanceof Abandoned)) throw error;
  });
  const busy = calls.made.length;
  // Pods may still be starting or ending; after that nothing is left to do, and nothing may be done.
  await clock.advance(settlingMs);
  const before = calls.made.length;
  await clock.advance(quietMs);
  const more = calls.made.slice(before).filter((call) => !oracle.isIdle(call));
  if (more.length > 0) oracle.violate(`calls were made although nothing changed: ${more.join(', ')}`);
  oracle.judgeEnd();
  over = true;
  current?.kill();
  const report = {
    violations: oracle.violations,
    calls: calls.made,
    busy,
    writes: oracle.writes,
    effects: oracle.effects(),
    end: oracle.end(),
    virtualMs: clock.monotonic(),
  };
  await server.close();
  return report;
}

/** The leader lease and events do not count as calls: the one is there all the time, the others never matter. */
function quietly(hazardous: Transport, plain: Transport, process: Process): Transport {
  return {
    ...hazardous,
    request: (request) =>
      /\/leases\/|\/leases\?|\/leases$|\/events/.test(request.path) && !request.path.includes('watch=true')
        ? process.receive(plain.request(request))
        : hazardous.request(request),
  };
}

/** Whatever the operator calls a bug is one. */
function listening(oracle: Oracle): Log {
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: ({ error }, message) => {
      if (message.startsWith('a bug')) oracle.violate(`${message}: ${String(error)}`);
    },
    child: () => log,
  };
  return log;
}
