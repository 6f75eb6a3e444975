import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../clock/clock.ts';
import { isInside } from '../../control/is-inside.ts';
import { publicGet } from '../../control/public-get.ts';
import { raceAbort } from '../../control/race-abort.ts';
import type { Sealed } from '../../control/sealed.ts';
import { registryUser } from './docker-config.ts';
import { type ImageName, imageName, isLoopback, originOf } from './image-name.ts';

/** What an image says about how it wants to be run. */
export interface ImageConfig {
  /** TCP ports that it listens on, smallest first. */
  readonly ports: readonly number[];
  /** As the image has it: `65532`, `nobody`, `1000:1000`; empty for root. */
  readonly user: string;
}

/**
 * What a registry said. `why` is for people, and holds nothing of what it answered. What is `passing` may be otherwise in a
 * moment: nobody answered, or whoever did could not.
 */
export type ImageFinding =
  | { readonly read: true; readonly config: ImageConfig }
  | { readonly read: false; readonly why: string; readonly passing?: true };

/** Reads images where they are kept. */
export interface ImageRegistry {
  /** Never rejects, and never takes longer than the limit. `dockerConfigs`: sealed texts of `.dockerconfigjson`. */
  read(image: string, dockerConfigs: readonly Sealed[], signal: AbortSignal): Promise<ImageFinding>;
}

export interface ImageRegistryOptions {
  readonly clock: Clock;
  /** Asks the registry itself. Default: Node's own. */
  readonly fetch?: typeof fetch;
  /** Asks places that a registry leads to. Default: public ones only. */
  readonly elsewhere?: typeof publicGet;
  /** Whether a registry is on a private network itself, so that its token service may be. Default: by its addresses. */
  readonly isInside?: (hostname: string) => Promise<boolean>;
  /** All requests for one image together. Default 3 s. */
  readonly limitMs?: number;
}

const indexTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
const manifestTypes = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const index = z.object({
  manifests: z
    .array(z.object({ digest, platform: z.object({ os: z.string(), architecture: z.string() }).partial().optional() }))
    .max(1000),
});
const manifest = z.object({ config: z.object({ digest }) });
const imageConfig = z.object({
  config: z
    .object({ User: z.string().optional(), ExposedPorts: z.record(z.string(), z.unknown()).nullish() })
    .nullish(),
});
const token = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/** Manifests and configurations are a few kilobytes; nobody needs more than this. */
const mostBytes = 4 * 1024 * 1024;

/**
 * A registry that speaks the OCI distribution protocol: the index or manifest of an image, then its configuration.
 *
 * Assumption: users name the images, so whoever answers is not trusted. Answers are bounded, checked against their digests,
 * and never shown; the credentials of a host go to that host and to the token service that it names, over TLS only. Registries lead
 * to where their content lies: there it is asked for without credentials, over TLS, at public addresses, and whatever comes of it is
 * told in one sentence, so that nobody learns from it what else answers where. So it is with a token service on another host, but for
 * the credentials, which it needs; that of a registry on a private network may be on one too.
 */
export function imageRegistry(options: ImageRegistryOptions): ImageRegistry {
  const { clock, limitMs = 3000 } = options;
  const ask = {
    registry: options.fetch ?? fetch,
    elsewhere: options.elsewhere ?? publicGet,
    isInside: options.isInside ?? isInside,
  };
  return {
    async read(image, dockerConfigs, signal) {
      const name = imageName(image);
      if (!name) return { read: false, why: `${JSON.stringify(image.slice(0, 200))} is not the name of an image` };
      const limit = new AbortController();
      const late = new Trouble(`${name.host} did not answer within ${limitMs / 1000} s`, true);
      const off = clock.after(limitMs, () => limit.abort(late));
      const until = AbortSignal.any([signal, limit.signal]);
      try {
        return { read: true, config: await new Visit(name, dockerConfigs, ask, until).config() };
      } catch (error) {
        // Also that time was up is not told of places that the registry leads to.
        const reason = limit.signal.aborted && !(error instanceof Trouble) ? late : error;
        if (!(reason instanceof Trouble)) return { read: false, why: `${name.host} cannot be reached`, passing: true };
        return { read: false, why: reason.message, ...(reason.passing && { passing: true }) };
      } finally {
        off();
      }
    },
  };
}

/** What may be told to people. */
class Trouble extends Error {
  readonly passing: boolean;

  constructor(message: string, passing = false) {
    super(message);
    this.passing = passing;
  }
}

interface Ask {
  readonly registry: typeof fetch;
  readonly elsewhere: typeof publicGet;
  readonly isInside: (hostname: string) => Promise<boolean>;
}

/** What was answered, and whether by the registry itself. */
interface Reached {
  readonly answer: Response;
  readonly elsewhere: boolean;
}

/** More than any registry needs. */
const mostRedirects = 5;
const redirects = [301, 302, 303, 307, 308];

/** All requests for one image. */
class Visit {
  readonly #name: ImageName;
  readonly #dockerConfigs: readonly Sealed[];
  readonly #ask: Ask;
  readonly #signal: AbortSignal;
  #authorization: string | undefined;

  constructor(name: ImageName, dockerConfigs: readonly Sealed[], ask: Ask, signal: AbortSignal) {
    this.#name = name;
    this.#dockerConfigs = dockerConfigs;
    this.#ask = ask;
    this.#signal = signal;
  }

  async config(): Promise<ImageConfig> {
    const top = await this.#get(`manifests/${this.#name.reference}`, [...indexTypes, ...manifestTypes]);
    const listed = index.safeParse(top);
    const leaf = listed.success ? await this.#get(`manifests/${chosen(listed.data)}`, manifestTypes) : top;
    const described = manifest.safeParse(leaf);
    if (!described.success) throw this.#odd('a manifest');
    const answered = imageConfig.safeParse(await this.#get(`blobs/${described.data.config.digest}`, ['*/*']));
    if (!answered.success) throw this.#odd('a configuration');
    const { User = '', ExposedPorts } = answered.data.config ?? {};
    return { user: User, ports: tcpPorts(Object.keys(ExposedPorts ?? {})) };
  }

  async #get(path: string, accept: readonly string[]): Promise<unknown> {
    const url = new URL(`${originOf(this.#name.host)}/v2/${this.#name.repository}/${path}`);
    let reached = await this.#reach(url, accept);
    if (reached.answer.status === 401 && !reached.elsewhere) {
      await reached.answer.body?.cancel();
      this.#authorization = await this.#authorized(reached.answer.headers.get('www-authenticate') ?? '', url.origin);
      reached = await this.#reach(url, accept);
    }
    const reading = this.#read(reached.answer, path);
    return reached.elsewhere ? reading.catch(() => Promise.reject(this.#astray())) : reading;
  }

  async #read(answer: Response, path: string): Promise<unknown> {
    if (!answer.ok) {
      await answer.body?.cancel();
      throw refusal(this.#name, answer.status);
    }
    const bytes = await this.#bytes(answer);
    const expected = /sha256:[0-9a-f]{64}$/.exec(path)?.[0];
    if (expected && `sha256:${createHash('sha256').update(bytes).digest('hex')}` !== expected)
      throw this.#odd('content');
    return this.#json(bytes);
  }

  /** Follows redirects. Who we are is told to the registry alone. */
  async #reach(from: URL, accept: readonly string[]): Promise<Reached> {
    let [url, elsewhere] = [from, false];
    for (let hops = 0; hops <= mostRedirects; hops++) {
      const answer = elsewhere ? await this.#elsewhere(url, accept) : await this.#send(url, accept);
      if (!redirects.includes(answer.status)) return { answer, elsewhere };
      await answer.body?.cancel();
      const next = URL.parse(answer.headers.get('location') ?? '', url.href);
      if (!next) break;
      // Once strangers lead the way, also back to the registry is where they want us to go.
      elsewhere ||= next.origin !== from.origin;
      url = next;
    }
    throw this.#astray();
  }

  #send(url: URL, accept: readonly string[]): Promise<Response> {
    const authorization = this.#authorization;
    return this.#ask.registry(url, {
      signal: this.#signal,
      redirect: 'manual',
      headers: { accept: accept.join(', '), ...(authorization && { authorization }) },
    });
  }

  #elsewhere(url: URL, accept: readonly string[]): Promise<Response> {
    return this.#ask
      .elsewhere(url, { signal: this.#signal, headers: { accept: accept.join(', ') } })
      .catch(() => Promise.reject(this.#astray()));
  }

  /** Answers a challenge: with the user's own name, or with a token that is had for it. */
  async #authorized(challenge: string, origin: string): Promise<string> {
    const user = this.#user();
    if (/^basic\b/i.test(challenge)) {
      if (!user) throw refusal(this.#name, 401);
      return `Basic ${user}`;
    }
    const realm = URL.parse(parameter(challenge, 'realm') ?? '');
    // Without TLS only where the registry itself is: on this very machine.
    const plain = isLoopback(this.#name.host) && realm?.protocol === 'http:' && isLoopback(realm.host);
    const trusted = realm?.protocol === 'https:' || plain;
    if (!/^bearer\b/i.test(challenge) || !realm || !trusted) throw this.#odd('a challenge');
    const service = parameter(challenge, 'service');
    if (service !== undefined) realm.searchParams.set('service', service);
    realm.searchParams.set('scope', parameter(challenge, 'scope') ?? `repository:${this.#name.repository}:pull`);
    const headers: Record<string, string> = user ? { authorization: `Basic ${user}` } : {};
    const ask = { signal: this.#signal, redirect: 'manual', headers } as const;
    if (realm.origin === origin) return this.#bearer(await this.#ask.registry(realm, ask));
    // What a service is that the registry only names, and whether it is one, is nobody's business.
    try {
      const inside = plain || (await raceAbort(this.#ask.isInside(new URL(origin).hostname), this.#signal));
      return await this.#bearer(await (inside ? this.#ask.registry(realm, ask) : this.#ask.elsewhere(realm, ask)));
    } catch {
      throw this.#noToken();
    }
  }

  async #bearer(answer: Response): Promise<string> {
    if (!answer.ok) {
      await answer.body?.cancel();
      throw refusal(this.#name, answer.status);
    }
    const given = token.safeParse(this.#json(await this.#bytes(answer)));
    const bearer = given.success ? (given.data.token ?? given.data.access_token) : undefined;
    if (!bearer || !/^[\x21-\x7e]+$/.test(bearer)) throw this.#odd('a token');
    return `Bearer ${bearer}`;
  }

  #user(): string | undefined {
    for (const config of this.#dockerConfigs) {
      const user = registryUser(config.open(), this.#name.host);
      if (user !== undefined) return user;
    }
    return undefined;
  }

  async #bytes(answer: Response): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of answer.body ?? []) {
      length += chunk.length;
      if (length > mostBytes) throw this.#odd('more than anybody needs');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  #json(bytes: Uint8Array): unknown {
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      throw this.#odd('text');
    }
  }

  /** The same for whatever went wrong there. */
  #noToken(): Trouble {
    const { host, repository } = this.#name;
    return new Trouble(`the token service that ${host} names does not let us read ${repository}`, true);
  }

  /** The same for whatever went wrong there. */
  #astray(): Trouble {
    const { host, repository } = this.#name;
    return new Trouble(`${host} leads elsewhere when asked for ${repository}, and it cannot be read there`, true);
  }

  #odd(what: string): Trouble {
    return new Trouble(`${this.#name.host} answered with ${what} that cannot be read`);
  }
}

/** Images of one name differ by platform in what they run, hardly in how they want to be run. */
function chosen({ manifests }: z.infer<typeof index>): string {
  const of = (architecture: string) =>
    manifests.find(({ platform }) => platform?.os === 'linux' && platform.architecture === architecture);
  const found =
    of('amd64') ?? of('arm64') ?? manifests.find(({ platform }) => platform?.os === 'linux') ?? manifests[0];
  if (!found) throw new Trouble('the image has no content for any platform');
  return found.digest;
}

function refusal({ host, repository }: ImageName, status: number): Trouble {
  if (status === 401 || status === 403) return new Trouble(`${host} does not let us read ${repository}`);
  if (status === 404) return new Trouble(`${host} does not have ${repository} by that tag`);
  return new Trouble(`${host} answered ${status} when asked for ${repository}`, status === 429 || status >= 500);
}

/** `Bearer realm="https://…",service="…"` */
function parameter(challenge: string, name: string): string | undefined {
  return new RegExp(`[\\s,]${name}="([^"]*)"`, 'i').exec(challenge)?.[1];
}

/** `8080/tcp` and `8080`; others are not reached through routes. */
function tcpPorts(exposed: readonly string[]): readonly number[] {
  const ports = exposed.flatMap((text) => {
    const [, number, protocol = 'tcp'] = /^(\d{1,5})(?:\/(\w+))?$/.exec(text) ?? [];
    const port = Number(number);
    return protocol === 'tcp' && port >= 1 && port <= 65_535 ? [port] : [];
  });
  return [...new Set(ports)].sort((a, b) => a - b);
}
