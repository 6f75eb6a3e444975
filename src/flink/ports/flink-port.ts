import { type Clock, sleep } from '../../clock/clock.ts';
import { type PortCall, PortError, type Verb } from '../../control/port.ts';
import type { Json } from '../../kube/object.ts';
import type { FlinkCalls } from '../calls.ts';
import type { ClusterAddress } from '../rest.ts';
import { nothing } from './answers/jars.ts';
import { disposalOperation, triggered } from './answers/operation.ts';
import { ask } from './ask.ts';
import type { FetchOptions } from './fetch-artifact.ts';
import { summaryOf } from './java-trace.ts';
import { errorFrom, must, type Send } from './send.ts';
import { submit, type Timeouts } from './submit.ts';
import type { Wire } from './wire.ts';

export interface FlinkPortOptions extends FetchOptions {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly timeouts: Timeouts;
  /** Called after every request that changes something: what the cluster says now is worth knowing. */
  readonly acted: (cluster: ClusterAddress, triggerId?: string) => void;
}

/** One call of a verb. */
interface Underway {
  readonly id: string;
  readonly send: Send;
  readonly revoked: AbortSignal;
}

/**
 * The port `flink`: what is done to Flink rather than asked of it. All of it may be done twice with the same id.
 *
 * A call goes on when its caller stops waiting, and ends by its own time limit: its outcome is worth knowing. When it is revoked it
 * ends at once, whatever step it is at, and sends nothing more.
 */
export function flinkPort(options: FlinkPortOptions): { readonly [V in keyof FlinkCalls]: Verb } {
  const { wire, clock, timeouts, acted } = options;
  const verb =
    <V extends keyof FlinkCalls>(run: (args: FlinkCalls[V], call: Underway) => Promise<Json>): Verb =>
    async ({ id, args, revoked }: PortCall) => {
      const typed = args as unknown as FlinkCalls[V];
      const send: Send = (cluster, request, schema) =>
        ask(wire, cluster, { timeoutMs: timeouts.request, ...request, signal: revoked }, schema);
      try {
        return await run(typed, { id, send, revoked });
      } finally {
        acted(typed.cluster, id);
      }
    };

  const trigger = async (
    cluster: ClusterAddress,
    path: string,
    { id, send }: Underway,
    body: object,
  ): Promise<Json> => {
    const request = { method: 'POST', path, body: JSON.stringify({ ...body, triggerId: id }) } as const;
    const given = must(await send(cluster, request, triggered));
    if (given === id) return { triggerId: id };
    // An id of its own: asked again it would do it again, and nobody could tell.
    throw new PortError(
      'refused',
      `Flink gave the request ${id} the id ${given}: its version is too old to be asked twice`,
    );
  };

  return {
    stop: verb<'stop'>(({ cluster, jobId, directory, drain, format }, call) =>
      trigger(cluster, `${jobPath(jobId)}/stop`, call, {
        ...(directory !== undefined && { targetDirectory: directory }),
        drain,
        formatType: format,
      }),
    ),
    savepoint: verb<'savepoint'>(({ cluster, jobId, directory, format }, call) =>
      trigger(cluster, `${jobPath(jobId)}/savepoints`, call, {
        ...(directory !== undefined && { 'target-directory': directory }),
        'cancel-job': false,
        formatType: format,
      }),
    ),
    checkpoint: verb<'checkpoint'>(({ cluster, jobId, type }, call) =>
      trigger(cluster, `${jobPath(jobId)}/checkpoints`, call, { checkpointType: type }),
    ),
    cancel: verb<'cancel'>(async ({ cluster, jobId }, { send }) => {
      const path = `${jobPath(jobId)}?mode=cancel`;
      const answer = await send(cluster, { method: 'PATCH', path, timeoutMs: timeouts.cancel }, nothing);
      if (answer.ok) return { job: 'cancelling' };
      const { status, said } = answer.failure;
      if (status === 404) return { job: 'unknown' };
      if (status === 409 || said.includes('already reached another terminal state')) return { job: 'ended' };
      throw errorFrom(answer.failure);
    }),
    rescale: verb<'rescale'>(async ({ cluster, jobId, requirements }, { send }) => {
      const vertices = Object.entries(requirements).map(([id, { lower, upper }]) => [
        id,
        { parallelism: { lowerBound: lower, upperBound: upper } },
      ]);
      const path = `${jobPath(jobId)}/resource-requirements`;
      must(await send(cluster, { method: 'PUT', path, body: JSON.stringify(Object.fromEntries(vertices)) }, nothing));
      return {};
    }),
    dispose: verb<'dispose'>(({ cluster, path }, call) => dispose(call, clock, timeouts.cancel, cluster, path)),
    submit: verb<'submit'>((args, call) => submit(args, call.id, { ...options, ...call })),
  };
}

/**
 * Removes the files of a savepoint. Flink takes no id for it, but it does no harm twice: what is not there any more has been
 * removed.
 */
async function dispose(
  { send, revoked }: Underway,
  clock: Clock,
  patienceMs: number,
  cluster: ClusterAddress,
  path: string,
): Promise<Json> {
  const body = JSON.stringify({ 'savepoint-path': path });
  const id = must(await send(cluster, { method: 'POST', path: '/savepoint-disposal', body }, triggered));
  const until = clock.monotonic() + patienceMs;
  for (let wait = 100; clock.monotonic() + wait < until; wait = Math.min(wait * 2, 5_000)) {
    await sleep(clock, wait, revoked);
    const request = { method: 'GET', path: `/savepoint-disposal/${encodeURIComponent(id)}` } as const;
    const answer = must(await send(cluster, request, disposalOperation));
    if (answer === undefined) continue;
    if (answer === '') return { disposed: true };
    if (answer.includes('java.io.FileNotFoundException')) return { disposed: false };
    throw new PortError('refused', `${path} could not be removed: ${summaryOf(answer)}`);
  }
  throw new PortError('unknown', `${path} is still being removed`);
}

function jobPath(jobId: string): string {
  return `/jobs/${encodeURIComponent(jobId)}`;
}
