import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { imageRegistry } from '../../src/cloudfoundry/ports/image-registry.ts';
import { sealer } from '../../src/control/sealed.ts';
import { checkpointPath, checkpoints } from '../../src/flink/ports/answers/checkpoints.ts';
import { metrics, requirements, taskManagers, version } from '../../src/flink/ports/answers/cluster.ts';
import { exceptions } from '../../src/flink/ports/answers/exceptions.ts';
import { ranJar, uploadedJar } from '../../src/flink/ports/answers/jars.ts';
import { jobFailure } from '../../src/flink/ports/answers/job-failure.ts';
import { jobsOverview } from '../../src/flink/ports/answers/jobs-overview.ts';
import {
  checkpointOperation,
  disposalOperation,
  savepointOperation,
  triggered,
} from '../../src/flink/ports/answers/operation.ts';
import { ask } from '../../src/flink/ports/ask.ts';
import { keptOf, summaryOf } from '../../src/flink/ports/java-trace.ts';
import samples from '../../src/flink/ports/samples.json' with { type: 'json' };
import type { Wire } from '../../src/flink/ports/wire.ts';
import { cases, ending, expectNoPollution } from './fuzz.ts';
import { hostileJson, hostileText, longText, mutated, twisted } from './hostile.ts';

describe('an answer of Flink', () => {
  const schemas = {
    checkpoints,
    checkpointPath,
    version,
    taskManagers,
    metrics,
    requirements,
    exceptions,
    uploadedJar,
    ranJar,
    jobFailure,
    jobsOverview,
    savepointOperation,
    checkpointOperation,
    disposalOperation,
    triggered,
  };
  const keys = ['jobs', 'jid', 'state', 'id', 'status', 'operation', 'location', 'latest', 'completed', 'exceptions'];
  const originals = Object.values(samples).flatMap((ofVersion) =>
    Object.values(ofVersion).map(({ response }): unknown => response),
  );
  const text = fc.oneof(
    fc
      .constantFrom(...originals)
      .chain((one) => twisted(one, keys))
      .map((value) => JSON.stringify(value)),
    hostileJson(keys).map((value) => JSON.stringify(value)),
    mutated(
      originals.map((one) => JSON.stringify(one).slice(0, 500)),
      ['"state":', '{', ']'],
    ),
    hostileText(['{"errors":["', '"]}', 'Caused by: ', '\\n']),
  );
  const cluster = { namespace: 'default', name: 'orders' } as Parameters<typeof ask>[1];

  it.each(Object.entries(schemas))('is a value or trouble in a sentence: %s', async (_, schema) => {
    const right = originals.filter((one) => schema.safeParse(one).success);
    expect(right.length).toBeGreaterThan(0);
    const near = fc.constantFrom(...right).chain((one) => twisted(one, keys));
    const given = fc.oneof(
      text,
      near.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(given, fc.constantFrom(200, 202, 400, 404, 500), async (body, status) => {
        const wire = { request: async () => ({ is: 'answer', status, text: body }) } as unknown as Wire;
        const request = { method: 'GET', path: '/x', timeoutMs: 1, signal: new AbortController().signal } as const;
        const answered = await ask(wire, cluster, request, schema as never);
        expectNoPollution();
        if (!answered.ok) expect(answered.failure.message.length).toBeLessThan(2000);
      }),
      cases(60),
    );
  });

  it('has a trace that is told in short, and read to its end', () => {
    const words = ['java.lang.RuntimeException: ', 'Caused by: ', '\n', '\tat ', 'a.', '$', 'CompletionException: '];
    fc.assert(
      fc.property(
        fc.oneof(
          hostileText(words),
          longText(words).map((long) => long.text),
        ),
        (trace) => {
          ending(() => {
            expect(summaryOf(trace).length).toBeLessThanOrEqual(500);
            expect(trace.startsWith(keptOf(trace))).toBe(true);
          });
        },
      ),
      cases(100),
    );
  });
});

describe('an answer of a registry', () => {
  const challenge = 'Bearer realm="https://auth.example/token",service="registry",scope="repository:team/app:pull"';
  const digest = `sha256:${'0'.repeat(64)}`;
  const manifest = { config: { digest }, manifests: [{ digest, platform: { os: 'linux', architecture: 'amd64' } }] };
  const keys = ['config', 'digest', 'manifests', 'platform', 'token', 'access_token'];
  const header = fc.oneof(mutated([challenge, 'Basic realm="x"'], ['realm="', 'http://', '",', '\\']), hostileText());
  const answers = fc.record({
    status: fc.constantFrom(200, 200, 401, 401, 403, 404, 307, 500),
    challenge: header,
    location: fc.oneof(
      fc.constantFrom('https://cdn.example/x', '/v2/x', 'http://10.0.0.1/', 'https://['),
      hostileText(),
    ),
    body: fc.oneof(
      twisted(manifest, keys).map((value) => JSON.stringify(value)),
      twisted({ token: 'T', access_token: 'T' }, keys).map((value) => JSON.stringify(value)),
      hostileText(),
    ),
  });
  const seal = sealer();

  it('is read, or told in a sentence without what it said; nobody is asked without TLS', async () => {
    const forever = new AbortController().signal;
    const docker = seal(JSON.stringify({ auths: { 'registry.example': { auth: 'YW5uOjE=' } } }));
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 6 }), async (said) => {
        let asked = 0;
        const reply = async (url: string | URL | Request): Promise<Response> => {
          expect(String(url)).toMatch(/^https:\/\//);
          const one = said[asked++ % said.length];
          if (!one) throw new Error('nothing was said');
          const headers = new Headers();
          for (const [name, value] of Object.entries({ 'www-authenticate': one.challenge, location: one.location })) {
            if (/^[\x20-\x7e]*$/.test(value)) headers.set(name, value);
          }
          return new Response(one.body, { status: one.status, headers });
        };
        const elsewhere = async (url: URL, { headers }: { readonly headers: object }): Promise<Response> => {
          // Only a service that is asked for a token is told who asks.
          if (!url.searchParams.has('scope')) expect(headers).not.toHaveProperty('authorization');
          if (url.protocol !== 'https:') throw new Error('not https');
          return reply(url);
        };
        const [clock, isInside] = [new VirtualClock(), async () => false];
        const images = imageRegistry({ clock, fetch: reply as typeof fetch, elsewhere, isInside });
        const found = await images.read('registry.example/team/app:1', [docker], forever);
        if (!found.read) expect(found.why.length).toBeLessThan(200);
        expect(asked).toBeLessThan(50);
        expectNoPollution();
      }),
      cases(300),
    );
  });
});
