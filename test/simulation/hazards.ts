import { sleep } from '../../src/clock/clock.ts';
import type { Random } from '../../src/clock/random.ts';
import type { VirtualClock } from '../../src/clock/virtual.ts';
import { PortError, type Ports, type Verb } from '../../src/control/port.ts';
import { KubeError } from '../../src/kube/error.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Request, Response, Transport } from '../../src/kube/transport.ts';
import { Looks } from './looks.ts';
import { OwnWrites } from './own-writes.ts';
import { type Fault, fits, type Plan } from './plan.ts';
import type { Process } from './process.ts';
import { WatchReplica } from './watch-replica.ts';
import type { Weather } from './weather.ts';

/** Counts the calls of all processes of a run and keeps what they were, for people. */
export class Calls {
  readonly made: string[] = [];
  /** Those of them that a process was about to send when it was stopped, and sent when it ran again. */
  readonly late: string[] = [];
  /** How many of them something went wrong at, or somebody acted at. */
  struck = 0;

  next(what: string): number {
    return this.made.push(what);
  }
}

export interface HazardOptions {
  readonly plan: Plan;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly process: Process;
  readonly calls: Calls;
  readonly weather: Weather;
  /** Somebody does something, at the moment of a call. */
  readonly onAct: (call: number) => Promise<void>;
  /** Starts another process beside this one. */
  readonly onDeputy: () => void;
  /** Nothing can become of anything for so long. */
  readonly onDelay: (ms: number) => void;
  /** Hears of every call of a port at the moment it is sent. */
  readonly onPort: (id: string) => void;
  readonly violate: (what: string) => void;
}

/** Less than this passes between a call and its way out, and between its answer and the way back. */
const latencyMs = 8;
/** Twenty seconds: longer than a lease and than any back-off that has just begun. */
const longMs = 20_000;
const latestMs = 10_000;
const clockMs = 60 * 60_000;
const outageMs = { outage: 30_000, 'long-outage': 10 * 60_000 } as const;
/** Longer than any patience of the process. */
const hangMs = 2 * 60_000;
/** So long that another process has the lease, and has begun to work. */
const deputyMs = 40_000;

/** What stands between one process and the world: latency always, faults at the calls that the plan names. */
export class Hazards {
  readonly looks: Looks;
  readonly #options: HazardOptions;
  readonly #own = new OwnWrites();
  #replica: WatchReplica | undefined;

  constructor(options: HazardOptions) {
    this.#options = options;
    this.looks = new Looks(options.process);
  }

  /** A transport of the process. Watches are not counted as calls, but have their own troubles. */
  wire(transport: Transport): Transport {
    const { clock, process, random, weather } = this.#options;
    const replica = new WatchReplica(transport, clock, process, random);
    this.#replica = replica;
    return {
      request: (request) => {
        if (weather.isOut) return this.#unreachable(request);
        if (request.path.includes('watch=true')) return process.receive(replica.watch(request));
        const what = `${request.method} ${request.path}`;
        // The effect must not be called back: a request that is on its way arrives.
        const { signal, ...sent } = request;
        const answer = this.#call(what, () => transport.request(sent), {
          ...(signal && { signal }),
          broken: () => new KubeError('unreachable', `${what}: the connection broke`),
          refused: refusal,
        });
        // Behind the proxy is somebody else's API: what is sent there is no write of an object.
        const writes = request.method !== 'GET' && !request.path.includes('/proxy/');
        return writes ? this.#remember(what, request, answer) : answer;
      },
      connect: (request, protocols) =>
        weather.isOut ? this.#unreachable(request) : transport.connect(request, protocols),
      close: () => transport.close(),
    };
  }

  ports(ports: Ports): Ports {
    const wrap = (name: string, verb: Verb): Verb => {
      return (call) => {
        this.#options.onPort(call.id);
        return this.reach(`call ${name} ${call.id}`, () => verb(call));
      };
    };
    return Object.fromEntries(
      Object.entries(ports).map(([port, verbs]) => [
        port,
        Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, wrap(`${port}.${name}`, verb)])),
      ]),
    );
  }

  /** A call to the outside that is not Kubernetes. */
  reach<T>(what: string, effect: () => Promise<T>): Promise<T> {
    const broken = (): Error => new PortError('unknown', `${what}: the connection broke`);
    return this.#call(what, effect, {
      broken,
      refused: () => {
        throw broken();
      },
    });
  }

  async #unreachable(request: Request): Promise<never> {
    await this.#options.process.receive(this.#latency());
    throw new KubeError('unreachable', `${request.method} ${request.path}: nobody answers`);
  }

  /** A write, watched for being decided on a view from before an earlier one. */
  async #remember(what: string, request: Request, answer: Promise<Response>): Promise<Response> {
    const { process, violate } = this.#options;
    const look = this.looks.present;
    const blind = process.dead ? undefined : this.#own.blind(request, look);
    if (blind) violate(`${what}: ${blind}`);
    const response = await answer.catch((error: unknown) => {
      this.#own.unheard(request);
      throw error;
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const said = JSON.parse(Buffer.concat(chunks).toString()) as AnyObject;
    const isTaken = said.reason === 'AlreadyExists' && !process.dead;
    const wrong = isTaken
      ? this.#own.taken(request)
      : response.status < 300 && this.#own.heard(request, said, look, process.monotonic());
    if (wrong) violate(`${what}: ${wrong}`);
    return { ...response, body: ReadableStream.from(chunks) };
  }

  async #call<T>(
    what: string,
    effect: () => Promise<T>,
    how: { readonly broken: () => Error; readonly refused: (fault: Fault) => T; readonly signal?: AbortSignal },
  ): Promise<T> {
    const { plan, clock, process, calls, weather, onAct, onDeputy, onDelay } = this.#options;
    if (process.dead) return new Promise<never>(() => {});
    const number = calls.next(what);
    const planned = plan.faults[number];
    const fault = planned && fits(planned, what) ? planned : undefined;
    const begun = clock.monotonic();
    await process.receive(this.#latency());
    if (clock.monotonic() - begun > latencyMs) calls.late.push(what);
    const act = plan.acts?.[number];
    if (fault !== undefined || act !== undefined) calls.struck += 1;
    if (act !== undefined) await onAct(number);
    switch (fault) {
      case undefined:
        break;
      case 'crash-before':
        process.kill();
        break;
      case 'crash-after':
        await effect().catch(() => {});
        process.kill();
        break;
      case 'lose-request':
        throw how.broken();
      case 'lose-answer':
        await effect().catch(() => {});
        throw how.broken();
      case 'late-effect':
        clock.after(latestMs, () => void effect().catch(() => {}));
        throw how.broken();
      case 'hang':
        await process.receive(sleep(clock, hangMs, how.signal).catch(() => {}));
        throw how.broken();
      case 'server-error':
      case 'throttle':
      case 'conflict':
      case 'not-found':
      case 'invalid':
        return how.refused(fault);
      case 'outage':
      case 'long-outage':
        weather.outage(outageMs[fault]);
        onDelay(outageMs[fault]);
        this.#replica?.breakOff();
        throw how.broken();
      case 'freeze':
        this.#replica?.freeze(longMs);
        break;
      case 'rewind':
        this.#replica?.rewind();
        break;
      case 'relist':
        this.#replica?.relist();
        break;
      case 'unseen':
        this.#replica?.leave();
        break;
      case 'duplicate':
        this.#replica?.repeat();
        break;
      case 'reorder':
        this.#replica?.reorder();
        break;
      case 'cut':
        this.#replica?.breakOff();
        break;
      case 'pause':
        process.pause(longMs);
        break;
      case 'deputy':
        process.pause(deputyMs);
        onDeputy();
        break;
      case 'clock-ahead':
        clock.jump(clockMs);
        break;
      case 'clock-back':
        clock.jump(-clockMs);
        break;
    }
    if (process.dead) return new Promise<never>(() => {});
    const answer = effect();
    return process.receive(answer.finally(() => this.#latency()));
  }

  #latency(): Promise<void> {
    return sleep(this.#options.clock, Math.floor(this.#options.random.next() * latencyMs));
  }
}

const refusals: Partial<Record<Fault, readonly [code: number, reason: string]>> = {
  throttle: [429, 'TooManyRequests'],
  conflict: [409, 'Conflict'],
  'not-found': [404, 'NotFound'],
  invalid: [422, 'Invalid'],
};

function refusal(fault: Fault): Response {
  const [code, reason] = refusals[fault] ?? [500, 'InternalError'];
  const status = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', message: fault, reason, code };
  return {
    status: code,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield Buffer.from(JSON.stringify(status));
    })(),
  };
}
