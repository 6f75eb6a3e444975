import samples from './samples.json' with { type: 'json' };
import type { Heard, Wire, WireRequest } from './wire.ts';

export const versions = ['1.20.5', '2.3.0'] as const;
export type Version = (typeof versions)[number];
export type SampleName = keyof (typeof samples)['1.20.5'];

/** One request and its answer as real Flink gave it, without what nobody reads. */
export function sample<N extends SampleName>(version: Version, name: N) {
  const { method, path, status } = samples[version][name];
  // Both versions answer alike as far as tests look.
  const response = samples[version][name].response as (typeof samples)['1.20.5'][N]['response'];
  const ids = /^\/jobs\/([0-9a-f]{32})(?:\/[a-z]+\/([0-9a-f]{32}))?/.exec(path);
  return { method, path, status, response, text: JSON.stringify(response), jobId: ids?.[1] ?? '', id: ids?.[2] ?? '' };
}

export const cluster = { namespace: 'team-a', name: 'orders', port: 8081, tls: false };

/** A wire whose other end is a function; it writes down what was asked. */
export function scripted(answer: (request: WireRequest) => Heard | Promise<Heard>): Wire & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    async request(_cluster, request) {
      sent.push(`${request.method} ${request.path}`);
      return answer(request);
    },
    close: async () => {},
  };
}

/** A wire that answers every request with one recorded answer, or by path with several. */
export function recorded(version: Version, ...names: readonly SampleName[]): Wire & { readonly sent: string[] } {
  const known = names.map((name) => sample(version, name));
  return scripted(({ method, path }) => {
    const bare = path.split('?')[0];
    const found = known.find((one) => one.method === method && one.path.split('?')[0] === bare) ?? known[0];
    return { is: 'answer', status: found?.status ?? 0, text: found?.text ?? '' };
  });
}
