import type { AnyObject } from '../../kube/object.ts';
import type { Request } from '../../kube/transport.ts';
import { endpointOf } from '../registry/endpoint-of.ts';
import type { Call } from '../registry/ground.ts';
import { badRequest, notFound, StatusError } from '../status-error.ts';
import type { Answer } from './answer.ts';
import type { Serving, Visit } from './serving.ts';
import type { ResourceTarget } from './target.ts';
import { contentOf } from './visit.ts';

interface Pod extends AnyObject {
  readonly spec?: {
    readonly containers?: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
}

/**
 * Answers `pods/proxy` and `services/proxy`: passes an HTTP request on to a pod. The name may carry a scheme and a
 * port: `web:8080`, `http:web:metrics`.
 *
 * @throws StatusError 400, 404; 503 when a service has no one to answer
 */
export async function serveProxy(serving: Serving, visit: Visit, target: ResourceTarget, call: Call): Promise<Answer> {
  const { name, port } = parsedName(call.name);
  const { pod, number } =
    call.resource.plural === 'services' ? behindService(serving, call, name, port) : podPort(serving, call, name, port);
  const { request } = visit;
  const query = request.path.includes('?') ? request.path.slice(request.path.indexOf('?')) : '';
  const headers = Object.fromEntries(Object.entries(request.headers ?? {}).filter(([name]) => !isOurs(name)));
  const passed: Request = {
    method: request.method,
    path: `/${target.rest}${query}`,
    headers,
    ...(request.body !== undefined && { body: contentOf(visit).bytes }),
    ...(request.signal && { signal: request.signal }),
  };
  const { status, headers: answered, body } = await serving.runtime.request(pod, number, passed);
  const { connection: ____, 'transfer-encoding': _____, ...kept } = answered;
  return { status, headers: kept, body };
}

/** Headers that are about the way to this server and who takes it: none of the pod's business. */
const isOurs = (name: string): boolean =>
  ['authorization', 'host', 'connection'].includes(name) || name.startsWith('impersonate-');

function parsedName(text: string): { readonly name: string; readonly port: string } {
  const parts = text.split(':');
  if (parts.length === 1) return { name: text, port: '' };
  if (parts.length === 2) return { name: parts[0] as string, port: parts[1] as string };
  if (parts.length === 3 && ['http', 'https', ''].includes(parts[0] as string)) {
    return { name: parts[1] as string, port: parts[2] as string };
  }
  throw badRequest(`invalid service request ${JSON.stringify(text)}`);
}

function podPort(serving: Serving, call: Call, name: string, port: string): { pod: AnyObject; number: number } {
  const pod = read(serving, 'pods', call.namespace, name) as Pod;
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  if (port === '') return { pod, number: ports[0]?.containerPort ?? 80 };
  const number = ports.find((one) => one.name === port)?.containerPort ?? Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65535)
    throw badRequest(`invalid port ${JSON.stringify(port)}`);
  return { pod, number };
}

function behindService(serving: Serving, call: Call, name: string, port: string): { pod: AnyObject; number: number } {
  const service = read(serving, 'services', call.namespace, name);
  const endpoint = endpointOf(serving.ground.context, service, port);
  if (!endpoint?.pod) throw unavailable(port === '' ? name : `${name}:${port}`);
  return { pod: read(serving, 'pods', call.namespace, endpoint.pod), number: endpoint.port };
}

function read(serving: Serving, plural: string, namespace: string, name: string): AnyObject {
  const found = serving.ground.context.read('', plural, namespace, name);
  if (!found) throw notFound({ group: '', plural, name });
  return found;
}

function unavailable(service: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', `no endpoints available for service ${JSON.stringify(service)}`);
}
