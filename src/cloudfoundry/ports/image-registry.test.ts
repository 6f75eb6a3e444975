import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { publicGet } from '../../control/public-get.ts';
import { sealer } from '../../control/sealed.ts';
import { type ImageFinding, imageRegistry } from './image-registry.ts';

const seal = sealer();
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const config = JSON.stringify({
  config: { User: '65532', ExposedPorts: { '9090/tcp': {}, '8080/tcp': {}, '53/udp': {}, odd: {}, '99999/tcp': {} } },
});
const manifest = JSON.stringify({ config: { digest: digestOf(config) } });
const index = JSON.stringify({
  manifests: [
    { digest: `sha256:${'0'.repeat(64)}`, platform: { os: 'windows', architecture: 'amd64' } },
    { digest: digestOf(manifest), platform: { os: 'linux', architecture: 'amd64' } },
  ],
});

interface Request {
  readonly url: string;
  readonly authorization: string | undefined;
}

/** A registry that answers from a table, and everything that it was asked. */
function registry(
  answers: Readonly<Record<string, string | (() => Response)>>,
  authorized?: (auth?: string) => boolean,
) {
  const asked: Request[] = [];
  const fetch = (async (input: string | URL, init?: RequestInit) => {
    const url = String(input);
    const authorization = new Headers(init?.headers).get('authorization') ?? undefined;
    asked.push({ url, authorization });
    if (authorized && url.includes('/v2/') && !authorized(authorization)) {
      const challenge = 'Bearer realm="https://auth.example/token",service="registry",scope="repository:team/app:pull"';
      return new Response('{}', { status: 401, headers: { 'www-authenticate': challenge } });
    }
    const answer = answers[url];
    if (answer === undefined) return new Response('what the registry says', { status: 404 });
    return typeof answer === 'string' ? new Response(answer) : answer();
  }) as typeof globalThis.fetch;
  // As if whoever it leads to answered from the same table.
  const elsewhere: typeof publicGet = (url, init) => fetch(url, init);
  return { asked, fetch, images: imageRegistry({ clock: new VirtualClock(), fetch, elsewhere, isInside: outside }) };
}

const outside = async (): Promise<boolean> => false;

/** A registry, and the places that it leads to. */
function leading(
  answers: Readonly<Record<string, string | (() => Response)>>,
  places: Readonly<Record<string, string | (() => Response)>>,
  authorized?: (auth?: string) => boolean,
) {
  const [own, others] = [registry(answers, authorized), registry(places)];
  const elsewhere: typeof publicGet = (url, init) => others.fetch(url.href, init);
  return { own, others, images: imageRegistry({ clock: new VirtualClock(), fetch: own.fetch, elsewhere }) };
}

const redirect =
  (location: string, status = 307) =>
  () =>
    new Response(null, { status, headers: { location } });

const v2 = 'https://registry.example/v2/team/app';
const whole = {
  [`${v2}/manifests/1`]: index,
  [`${v2}/manifests/${digestOf(manifest)}`]: manifest,
  [`${v2}/blobs/${digestOf(config)}`]: config,
};
const image = 'registry.example/team/app:1';
const forever = new AbortController().signal;

describe('reading how an image wants to be run', () => {
  it('goes from the index to the manifest to the configuration', async () => {
    const { images, asked } = registry(whole);
    const found: ImageFinding = { read: true, config: { ports: [8080, 9090], user: '65532' } };
    expect(await images.read(image, [], forever)).toEqual(found);
    expect(asked.map(({ url }) => url)).toEqual(Object.keys(whole));
  });

  it('reads an image without an index, and one that says nothing', async () => {
    const silent = JSON.stringify({ config: null });
    const { images } = registry({
      [`${v2}/manifests/1`]: JSON.stringify({ config: { digest: digestOf(silent) } }),
      [`${v2}/blobs/${digestOf(silent)}`]: silent,
    });
    expect(await images.read(image, [], forever)).toEqual({ read: true, config: { ports: [], user: '' } });
  });

  it('answers a challenge with a token that it gets for the user of that host', async () => {
    const realm = 'https://auth.example/token?service=registry&scope=repository%3Ateam%2Fapp%3Apull';
    const { images, asked } = registry(
      { ...whole, [realm]: JSON.stringify({ token: 'T0KEN' }) },
      (auth) => auth === 'Bearer T0KEN',
    );
    const docker = JSON.stringify({
      auths: { 'registry.example': { auth: 'dXNlcjpwYXNz' }, 'other.example': { auth: 'b3RoZXI=' } },
    });
    expect(await images.read(image, [seal('{}'), seal(docker)], forever)).toMatchObject({ read: true });
    expect(asked.find(({ url }) => url === realm)?.authorization).toBe('Basic dXNlcjpwYXNz');
    expect(asked.filter(({ url }) => url.startsWith(v2)).map(({ authorization }) => authorization)).toEqual([
      undefined,
      'Bearer T0KEN',
      'Bearer T0KEN',
      'Bearer T0KEN',
    ]);
  });

  it('asks for a token without a name when it has none', async () => {
    const realm = 'https://auth.example/token?service=registry&scope=repository%3Ateam%2Fapp%3Apull';
    const { images, asked } = registry(
      { ...whole, [realm]: JSON.stringify({ access_token: 'T' }) },
      (auth) => auth === 'Bearer T',
    );
    expect(await images.read(image, [], forever)).toMatchObject({ read: true });
    expect(asked.find(({ url }) => url === realm)?.authorization).toBeUndefined();
  });

  it('sends no password to a token service without TLS', async () => {
    const challenge = { 'www-authenticate': 'Bearer realm="http://auth.example/token"' };
    const { images, asked } = registry({
      [`${v2}/manifests/1`]: () => new Response('', { status: 401, headers: challenge }),
    });
    const docker = seal(JSON.stringify({ auths: { 'registry.example': { auth: 'dXNlcjpwYXNz' } } }));
    expect(await images.read(image, [docker], forever)).toMatchObject({ read: false });
    expect(asked).toHaveLength(1);
  });

  it('refuses content that is not what its digest says', async () => {
    const { images } = registry({ ...whole, [`${v2}/blobs/${digestOf(config)}`]: config.replace('65532', '0') });
    const why = 'registry.example answered with content that cannot be read';
    expect(await images.read(image, [], forever)).toEqual({ read: false, why });
  });

  it('refuses an answer without end', async () => {
    const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1024 * 1024)) });
    const { images } = registry({ [`${v2}/manifests/1`]: () => new Response(endless) });
    expect(await images.read(image, [], forever)).toMatchObject({ read: false });
  });

  it.each([
    [404, 'registry.example does not have team/app by that tag', {}],
    [403, 'registry.example does not let us read team/app', {}],
    [418, 'registry.example answered 418 when asked for team/app', {}],
    [429, 'registry.example answered 429 when asked for team/app', { passing: true }],
    [500, 'registry.example answered 500 when asked for team/app', { passing: true }],
  ])('says what %i means, and nothing of what the registry said', async (status, why, more) => {
    const { images } = registry({ [`${v2}/manifests/1`]: () => new Response('internal detail', { status }) });
    expect(await images.read(image, [], forever)).toEqual({ read: false, why, ...more });
  });

  describe('that lies elsewhere', () => {
    const blob = `${v2}/blobs/${digestOf(config)}`;
    const docker = seal(JSON.stringify({ auths: { 'registry.example': { auth: 'dXNlcjpwYXNz' } } }));
    const astray = {
      read: false,
      why: 'registry.example leads elsewhere when asked for team/app, and it cannot be read there',
      passing: true,
    };

    it('is followed to, a few times, without credentials', async () => {
      const basic = (auth?: string) => auth === 'Basic dXNlcjpwYXNz';
      const challenge = { 'www-authenticate': 'Basic realm="x"' };
      const { images, own, others } = leading(
        {
          ...whole,
          [`${v2}/manifests/1`]: redirect('/v2/team/app/manifests/one', 301),
          [`${v2}/manifests/one`]: index,
          [blob]: redirect('https://cdn.example/1'),
        },
        { 'https://cdn.example/1': redirect('2'), 'https://cdn.example/2': config },
      );
      const asked: (string | undefined)[] = [];
      const fetch: typeof globalThis.fetch = async (url, init) => {
        const authorization = new Headers(init?.headers).get('authorization') ?? undefined;
        asked.push(authorization);
        expect(init?.redirect).toBe('manual');
        return basic(authorization) ? own.fetch(url, init) : new Response('', { status: 401, headers: challenge });
      };
      const elsewhere: typeof publicGet = (url, init) => others.fetch(url.href, init);
      const reading = imageRegistry({ clock: new VirtualClock(), fetch, elsewhere });
      expect(await reading.read(image, [docker], forever)).toMatchObject({ read: true });
      expect(asked.slice(1).every(basic)).toBe(true);
      expect(others.asked).toEqual([
        { url: 'https://cdn.example/1', authorization: undefined },
        { url: 'https://cdn.example/2', authorization: undefined },
      ]);
      expect(await images.read(image, [], forever)).toMatchObject({ read: true });
    });

    it.each<[string, string | (() => Response)]>([
      ['401', () => new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } })],
      ['404', () => new Response('', { status: 404 })],
      ['500', () => new Response('', { status: 500 })],
      ['other content', 'something else'],
      [
        'no connection',
        () => {
          throw new Error('10.0.0.1 is private');
        },
      ],
      ['a place that is none', redirect('https://[')],
      ['itself, again and again', redirect('https://cdn.example/1')],
      ['the registry again, by a stranger', redirect(blob)],
    ])('is told in the same words, whatever is there: %s', async (_, answer) => {
      const { images } = leading(
        { ...whole, [blob]: redirect('https://cdn.example/1') },
        { 'https://cdn.example/1': answer },
      );
      expect(await images.read(image, [docker], forever)).toEqual(astray);
    });

    it.each([
      'http://169.254.169.254/latest',
      'https://10.0.0.1/',
      'http://registry.example/x',
      'https://127.0.0.1:1/',
    ])('is not asked for at %s', async (place) => {
      const { fetch, asked } = registry({ ...whole, [blob]: redirect(place) });
      const images = imageRegistry({ clock: new VirtualClock(), fetch });
      expect(await images.read(image, [docker], forever)).toEqual(astray);
      expect(asked.map(({ url }) => url)).toEqual([...Object.keys(whole)]);
    });

    describe('as a token', () => {
      const scope = '?scope=repository%3Ateam%2Fapp%3Apull';
      const challenged = (realm: string): Readonly<Record<string, () => Response>> => ({
        [`${v2}/manifests/1`]: () =>
          new Response('', { status: 401, headers: { 'www-authenticate': `Bearer realm="${realm}"` } }),
      });
      const noToken = {
        read: false,
        why: 'the token service that registry.example names does not let us read team/app',
        passing: true,
      };

      it.each<[string, string | (() => Response)]>([
        ['302', redirect('https://10.0.0.1/', 302)],
        ['403', () => new Response('', { status: 403 })],
        ['404', () => new Response('', { status: 404 })],
        ['500', () => new Response('', { status: 500 })],
        ['no text', 'something else'],
        ['no token', '{}'],
        ['an odd token', JSON.stringify({ token: 'a b' })],
        [
          'no connection',
          () => {
            throw new Error('10.0.0.1 is private');
          },
        ],
      ])('is told in the same words, whatever is there: %s', async (_, answer) => {
        const { own, others } = leading(challenged('https://auth.example/token'), {
          [`https://auth.example/token${scope}`]: answer,
        });
        const elsewhere: typeof publicGet = (url, init) => others.fetch(url.href, init);
        const images = imageRegistry({ clock: new VirtualClock(), fetch: own.fetch, elsewhere, isInside: outside });
        expect(await images.read(image, [docker], forever)).toEqual(noToken);
        expect(others.asked).toEqual([
          { url: `https://auth.example/token${scope}`, authorization: 'Basic dXNlcjpwYXNz' },
        ]);
      });

      it.each(['elsewhere', 'isInside'])('is told in the same words when time is up: %s', async (hangs) => {
        const clock = new VirtualClock();
        const { fetch } = registry(challenged('https://auth.example/token'));
        const elsewhere: typeof publicGet = (_url, { signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        const isInside = hangs === 'isInside' ? () => new Promise<never>(() => {}) : outside;
        const reading = imageRegistry({ clock, fetch, elsewhere, isInside }).read(image, [docker], forever);
        await clock.advance(3_000);
        expect(await reading).toEqual(noToken);
      });

      it.each(['https://10.0.0.5:8443/token', 'https://169.254.169.254/latest', 'https://127.0.0.1:1/'])(
        'is not asked for at %s',
        async (realm) => {
          const { fetch, asked } = registry(challenged(realm));
          const images = imageRegistry({ clock: new VirtualClock(), fetch, isInside: outside });
          expect(await images.read(image, [docker], forever)).toEqual(noToken);
          expect(asked).toHaveLength(1);
        },
      );

      it('is not asked for on this machine without TLS', async () => {
        const { images, asked } = registry(challenged('http://127.0.0.1:8080/token'));
        expect(await images.read(image, [docker], forever)).toMatchObject({ read: false });
        expect(asked).toHaveLength(1);
      });

      it('is asked for inside by a registry that is there itself, and told of in the same words', async () => {
        const realm = 'https://10.0.0.5:8443/token';
        const { fetch, asked } = registry(challenged(realm));
        const isInside = async (hostname: string): Promise<boolean> => hostname === 'registry.example';
        const images = imageRegistry({ clock: new VirtualClock(), fetch, isInside });
        expect(await images.read(image, [docker], forever)).toEqual(noToken);
        expect(asked[1]).toEqual({ url: `${realm}${scope}`, authorization: 'Basic dXNlcjpwYXNz' });
      });

      it('of the registry itself is told of as the registry is', async () => {
        const { images } = registry(challenged('https://registry.example/token'));
        const why = 'registry.example does not have team/app by that tag';
        expect(await images.read(image, [docker], forever)).toEqual({ read: false, why });
      });
    });
  });

  it('gives up after three seconds', async () => {
    const clock = new VirtualClock();
    const fetch = ((_url: string, init?: RequestInit) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      })) as typeof globalThis.fetch;
    const reading = imageRegistry({ clock, fetch }).read(image, [], forever);
    await clock.advance(2_999);
    const early = await Promise.race([reading, Promise.resolve('still asking')]);
    expect(early).toBe('still asking');
    await clock.advance(1);
    const why = 'registry.example did not answer within 3 s';
    expect(await reading).toEqual({ read: false, why, passing: true });
  });

  it('does not fail when nobody is there, or the name is none', async () => {
    const fetch = (async () => Promise.reject(new TypeError('fetch failed'))) as typeof globalThis.fetch;
    const images = imageRegistry({ clock: new VirtualClock(), fetch });
    const why = 'registry.example cannot be reached';
    expect(await images.read(image, [], forever)).toEqual({ read: false, why, passing: true });
    expect(await images.read('Not An Image', [], forever)).toEqual({
      read: false,
      why: '"Not An Image" is not the name of an image',
    });
  });
});
