import type { Clock } from '../clock/clock.ts';
import type { Request, Transport } from '../kube/transport.ts';
import type { Metrics } from './metrics.ts';

/** A transport that counts what goes through it. */
export function metered(transport: Transport, metrics: Metrics, clock: Clock): Transport {
  return {
    async request(request) {
      const started = clock.monotonic();
      const { verb, resource } = classify(request);
      try {
        const response = await transport.request(request);
        metrics.apiCall(verb, resource, String(response.status), clock.monotonic() - started);
        return response;
      } catch (error) {
        metrics.apiCall(verb, resource, 'none', clock.monotonic() - started);
        throw error;
      }
    },
    connect: (request, protocols) => transport.connect(request, protocols),
    close: () => transport.close(),
  };
}

/** The verb in RBAC's words and the resource, with its subresource, that a request is about. */
export function classify(request: Pick<Request, 'method' | 'path' | 'headers'>): {
  readonly verb: string;
  readonly resource: string;
} {
  const [path = '', query = ''] = request.path.split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  // Paths outside of /api/VERSION and /apis/GROUP/VERSION (discovery, /version) are not resources; keep their label few.
  const root = parts[0] === 'api' ? 2 : parts[0] === 'apis' ? 3 : Number.POSITIVE_INFINITY;
  if (parts.length <= root) return { verb: request.method.toLowerCase(), resource: 'none' };
  const scoped = parts[root] === 'namespaces' && parts.length > root + 2;
  const [plural = '', name, subresource] = parts.slice(scoped ? root + 2 : root);
  const group = parts[0] === 'apis' ? `.${parts[1]}` : '';
  const resource = `${plural}${group}${subresource ? `/${subresource}` : ''}`;
  return { verb: verbOf(request, name !== undefined, new URLSearchParams(query).get('watch')), resource };
}

function verbOf(request: Pick<Request, 'method' | 'headers'>, named: boolean, watch: string | null): string {
  switch (request.method) {
    case 'GET':
      return watch === 'true' || watch === '1' ? 'watch' : named ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return request.headers?.['content-type']?.startsWith('application/apply-patch') ? 'apply' : 'patch';
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
  }
}
