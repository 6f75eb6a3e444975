import type { AnyObject } from '../../kube/object.ts';
import type { Request, Response } from '../../kube/transport.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import type { ExecOptions, ExecSession, LogOptions, PodRuntime } from '../runtime.ts';
import { badRequest, StatusError } from '../status-error.ts';
import type { World } from '../world.ts';
import type { ContainerRun } from './container-run.ts';
import { execute } from './execute.ts';
import type { LogBook } from './log-book.ts';
import type { PodWorker } from './pod-worker.ts';
import { readLog } from './read-log.ts';

const asPod = (object: AnyObject): Pod => object as unknown as Pod;

/** The kubelets' side of `pods/log`, `pods/exec` and `proxy`. */
export function podRuntime(world: World, workerOf: (pod: AnyObject) => PodWorker | undefined): PodRuntime {
  return {
    async log(object: AnyObject, options: LogOptions): Promise<AsyncIterable<Uint8Array>> {
      const pod = asPod(object);
      const name = containerName(pod, options.container);
      const worker = workerOf(object);
      // A pod that no node runs has an empty log, not an error.
      if (!worker) return nothing();
      return readLog(bookOf(worker.run(name), pod, name, options.previous === true), world.clock, options);
    },

    async exec(object: AnyObject, options: ExecOptions): Promise<ExecSession> {
      const pod = asPod(object);
      const { phase } = pod.status ?? {};
      if (phase === 'Succeeded' || phase === 'Failed') {
        throw badRequest(`cannot exec into a container in a completed pod; current phase is ${phase}`);
      }
      const name = containerName(pod, options.container);
      const worker = workerOf(object);
      if (!worker) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
      const run = worker.run(name);
      if (!run?.isRunning) {
        throw new StatusError(
          500,
          'InternalError',
          `Internal error occurred: unable to upgrade connection: container not found ("${name}")`,
        );
      }
      return execute(world, worker, run, options);
    },

    async request(object: AnyObject, port: number, request: Request): Promise<Response> {
      const worker = workerOf(object);
      for (const run of worker?.containers ?? []) {
        const answer = run.isRunning ? run.respond(port, request) : undefined;
        if (answer) return answer;
      }
      const address = worker?.podIP ?? asPod(object).status?.podIP;
      throw new StatusError(
        503,
        'ServiceUnavailable',
        `error trying to reach service: dial tcp ${address}:${port}: connect: connection refused`,
      );
    },
  };
}

/** The container that is meant; the only one when none is named. */
function containerName(pod: Pod, asked: string | undefined): string {
  const regular = pod.spec.containers.map((one) => one.name);
  const inits = (pod.spec.initContainers ?? []).map((one) => one.name);
  const name = pod.metadata.name ?? '';
  if (asked) {
    if ([...regular, ...inits].includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${name}`);
  }
  const [only, ...more] = regular;
  if (only !== undefined && more.length === 0) return only;
  const others = inits.length > 0 ? ` or one of the init containers: [${inits.join(' ')}]` : '';
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${regular.join(' ')}]${others}`,
  );
}

function bookOf(run: ContainerRun | undefined, pod: Pod, name: string, previous: boolean): LogBook {
  const where = `container ${JSON.stringify(name)} in pod ${JSON.stringify(pod.metadata.name)}`;
  if (!run) throw badRequest(`${where} is not available`);
  if (previous) {
    const book = run.isRunning ? run.previousLog : run.lastState.terminated ? (run.previousLog ?? run.log) : undefined;
    if (book) return book;
    throw badRequest(`previous terminated ${where} not found`);
  }
  if (run.log) return run.log;
  const reason = run.state.waiting?.reason;
  if (reason === 'ErrImagePull') throw badRequest(`${where} is waiting to start: image can't be pulled`);
  if (reason === 'ImagePullBackOff') {
    throw badRequest(`${where} is waiting to start: trying and failing to pull image`);
  }
  throw badRequest(`${where} is waiting to start: ${reason ?? 'ContainerCreating'}`);
}

async function* nothing(): AsyncIterable<Uint8Array> {}
