import type { ImageRegistry } from './ports/image-registry.ts';

/** An app to play with, pushed as `cf push` would push it: through the API, with somebody's credentials. */
export interface SampleOptions {
  /** The API's address. */
  readonly url: string;
  /** An `Authorization` header. */
  readonly authorization: string;
  readonly fetch: typeof fetch;
  /** Waits so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

export const sample = { org: 'demo', space: 'dev', app: 'hello', image: 'cutover.dev/sample-app:1' } as const;

/** Images of the embedded cluster are simulated: there is nowhere to look them up, and nothing leaves this machine. */
export const noRegistry: ImageRegistry = {
  read: async () => ({ read: false, why: 'images are simulated here' }),
};

/** What to type to see the sample and to change it. */
export function commands(url: string, home: string, user: string): readonly string[] {
  return [
    `export CF_HOME=${home}`,
    `cf api ${url}`,
    `cf auth ${user}`,
    `cf target -o ${sample.org} -s ${sample.space}`,
    `cf app ${sample.app}`,
    `cf restart ${sample.app} --strategy rolling   # no instance goes before another one is ready`,
    `cf scale ${sample.app} -i 4`,
  ];
}

const manifest = `applications:
- name: ${sample.app}
  instances: 2
  memory: 128M
  docker: { image: '${sample.image}' }
  default-route: true
  env: { GREETING: hello }
`;

interface Listed {
  readonly resources: readonly { readonly guid: string }[];
}

interface Made {
  readonly guid: string;
  readonly state?: string;
  readonly error?: string | null;
}

/** Something that was asked of the API did not work; the message says what and why. */
export class SampleError extends Error {
  override readonly name = 'SampleError';
}

/** Puts the sample into its organization and space, unless it is there already. */
export async function pushSample(options: SampleOptions): Promise<void> {
  const api = asking(options);
  const org = await found(api, `/v3/organizations?names=${sample.org}`, '/v3/organizations', { name: sample.org });
  const inOrg = { organization: { data: { guid: org } } };
  const query = `/v3/spaces?names=${sample.space}&organization_guids=${org}`;
  const space = await found(api, query, '/v3/spaces', { name: sample.space, relationships: inOrg });
  const apps = `/v3/apps?names=${sample.app}&space_guids=${space}`;
  if ((await api<Listed>('GET', apps)).resources.length > 0) return;
  await api('POST', `/v3/spaces/${space}/actions/apply_manifest`, manifest);
  const app = await until(options, async () => (await api<Listed>('GET', apps)).resources[0]?.guid);
  const relationships = { app: { data: { guid: app } } };
  const pack = await api<Made>('POST', '/v3/packages', {
    type: 'docker',
    data: { image: sample.image },
    relationships,
  });
  const { guid: build } = await api<Made>('POST', '/v3/builds', { package: { guid: pack.guid } });
  await until(options, async () => {
    const { state, error } = await api<Made>('GET', `/v3/builds/${build}`);
    if (state === 'FAILED') throw new SampleError(`the sample could not be staged: ${error}`);
    return state === 'STAGED' ? build : undefined;
  });
  await api('PATCH', `/v3/apps/${app}/relationships/current_droplet`, { data: { guid: build } });
  await api('POST', `/v3/apps/${app}/actions/start`);
}

type Api = <T>(method: string, path: string, body?: object | string) => Promise<T>;

async function found(api: Api, list: string, path: string, body: object): Promise<string> {
  const [present] = (await api<Listed>('GET', list)).resources;
  return present?.guid ?? (await api<Made>('POST', path, body)).guid;
}

function asking({ url, authorization, fetch, signal }: SampleOptions): Api {
  return async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      signal,
      headers: {
        authorization,
        ...(body !== undefined && {
          'content-type': typeof body === 'string' ? 'application/x-yaml' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new SampleError(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

async function until({ pause, signal }: SampleOptions, look: () => Promise<string | undefined>): Promise<string> {
  for (let tries = 0; tries < 300 && !signal.aborted; tries++) {
    const there = await look();
    if (there !== undefined) return there;
    await pause(100);
  }
  throw new SampleError('the sample app did not appear within 30 seconds');
}
