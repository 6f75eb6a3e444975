import type { Channel } from '../../kube/transport.ts';
import type { ExecOptions, ExecSession } from '../runtime.ts';
import { requiredValue } from '../schema/field-error.ts';
import { badRequest, invalid, StatusError } from '../status-error.ts';
import { admitted, authorize, resourceAttributes } from './admitted.ts';
import { ByteQueue } from './byte-queue.ts';
import { podOf } from './pod-log.ts';

import type { Arrival, Serving } from './serving.ts';
import { targetOf } from './target.ts';
import { callOf, splitPath } from './visit.ts';

/** Subprotocols that are spoken here, best first. From v5 on a client can say that its input has ended. */
const spoken = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** The first byte of a message names its stream. */
const stdin = 0;
const stdout = 1;
const stderr = 2;
const outcome = 3;
const closing = 255;

/**
 * Opens the channel of `pods/exec`: a command that runs in a container, with its streams.
 *
 * @throws StatusError 400 when the request or its protocols are not understood, 401, 403, 404, 406
 */
export async function openChannel(serving: Serving, arrival: Arrival, protocols: readonly string[]): Promise<Channel> {
  const { path, query } = splitPath(arrival.path);
  const target = targetOf(path);
  const user = await admitted(serving, arrival, target, query);
  const resource =
    target.type === 'resource' ? serving.resources.find(target.group, target.version, target.plural) : undefined;
  if (target.type !== 'resource' || !resource || resource.group !== '' || resource.plural !== 'pods') {
    throw new StatusError(404, 'NotFound', 'the server could not find the requested resource');
  }
  if (target.subresource !== 'exec') throw badRequest(`pods/${target.subresource} is not supported by this server`);
  // A WebSocket can only be opened by a GET; what it does is no reading.
  authorize(serving, resourceAttributes(user, 'create', target, query));
  if (!takesAnything(arrival.headers?.accept)) {
    throw new StatusError(406, 'NotAcceptable', '406: Not Acceptable\n\nAvailable representations: ', {});
  }
  const protocol = spoken.find((one) => protocols.includes(one));
  if (!protocol) throw badRequest(`unable to upgrade: none of the protocols is supported: ${protocols.join(', ')}`);

  const call = callOf({ request: arrival, user, query, warnings: [] }, resource, target);
  const options = execOptions(query, call.name);
  return channelOf(protocol, await serving.runtime.exec(podOf(serving, call), options), options);
}

/** A channel has no media type: whoever insists on one gets none. */
function takesAnything(accept: string | undefined): boolean {
  return !accept || accept.split(',').some((clause) => clause.split(';', 1)[0]?.trim() === '*/*');
}

function execOptions(query: URLSearchParams, name: string): ExecOptions {
  const flag = (field: string): boolean => ['true', '1'].includes(query.get(field) ?? '');
  const command = query.getAll('command');
  if (command.length === 0) {
    throw invalid('', 'PodExecOptions', name, [requiredValue('command')]);
  }
  const container = query.get('container');
  return { ...(container && { container }), command, stdin: flag('stdin'), tty: flag('tty') };
}

function channelOf(protocol: string, session: ExecSession, options: ExecOptions): Channel {
  const messages = new ByteQueue({ joined: false });
  let ended = false;
  const say = (stream: number, data: Uint8Array | string): void => {
    messages.push(Buffer.concat([Buffer.of(stream), Buffer.from(data)]));
  };
  const run = async (): Promise<void> => {
    // A terminal has one output, whatever the program writes to.
    for await (const { stream, data } of session.output) {
      say(stream === 'stderr' && !options.tty ? stderr : stdout, data);
    }
    say(outcome, JSON.stringify(outcomeOf(await session.exit)));
  };
  run()
    .catch((error: unknown) => say(outcome, JSON.stringify(failure(String((error as Error).message ?? error)))))
    .finally(() => {
      ended = true;
      messages.end();
    });
  const close = (): void => {
    messages.end();
    if (!ended) session.kill();
    ended = true;
  };
  messages.onLeave = close;
  return {
    protocol,
    messages,
    send(message) {
      if (ended || message.length === 0) return;
      if (message[0] === stdin && options.stdin) session.write(message.subarray(1));
      else if (message[0] === closing && message[1] === stdin) session.end();
    },
    close,
  };
}

function outcomeOf(code: number): unknown {
  if (code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

const failure = (message: string): unknown => ({ metadata: {}, status: 'Failure', message, reason: 'InternalError' });
