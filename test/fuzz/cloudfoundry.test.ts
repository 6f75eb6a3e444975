import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CfError } from '../../src/cloudfoundry/api/cf-error.ts';
import { listQuery, paged } from '../../src/cloudfoundry/api/list.ts';
import { megabytes } from '../../src/cloudfoundry/api/manifest/byte-size.ts';
import { isRouteText, routeParts, routeUrl } from '../../src/cloudfoundry/api/manifest/route-text.ts';
import { changedApp, changedEnvironment, newApp } from '../../src/cloudfoundry/api/payload/app.ts';
import { newBuild } from '../../src/cloudfoundry/api/payload/build.ts';
import { newDeployment } from '../../src/cloudfoundry/api/payload/deployment.ts';
import { newDomain } from '../../src/cloudfoundry/api/payload/domain.ts';
import { logQuery } from '../../src/cloudfoundry/api/payload/log-query.ts';
import { ManifestError, parseManifest } from '../../src/cloudfoundry/api/payload/manifest.ts';
import { metadataPatch } from '../../src/cloudfoundry/api/payload/metadata-patch.ts';
import { newPackage } from '../../src/cloudfoundry/api/payload/package.ts';
import { parsePayload } from '../../src/cloudfoundry/api/payload/parse-body.ts';
import { newOrganization, newSpace } from '../../src/cloudfoundry/api/payload/place.ts';
import { changedProcess, scale } from '../../src/cloudfoundry/api/payload/process.ts';
import { newRole } from '../../src/cloudfoundry/api/payload/role.ts';
import { newDestinations, newRoute } from '../../src/cloudfoundry/api/payload/route.ts';
import { newTask } from '../../src/cloudfoundry/api/payload/task.ts';
import type { CfContext } from '../../src/cloudfoundry/api/platform.ts';
import { imageName, originOf } from '../../src/cloudfoundry/ports/image-name.ts';
import { answer, cases, ending } from './fuzz.ts';
import { deepJson, hostileJson, hostileText, longText, mutated, twisted } from './hostile.ts';

/** As much of a request as a list looks at. */
function asked(url: URL): CfContext {
  return { req: { url: url.href }, var: { base: 'https://api.example' } } as unknown as CfContext;
}

describe('the query of a list', () => {
  const rules = {
    keys: ['page', 'per_page', 'order_by', 'label_selector', 'guids', 'names'],
    orderBy: { name: ({ metadata }: { metadata: { name?: string } }) => metadata.name ?? '' },
  };
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...rules.keys) },
    { weight: 1, arbitrary: hostileText([], 2) },
  );
  const value = hostileText(['1', '50', '5000', '-name', 'created_at', 'a in (b)', '!a', 'a,b', '-'], 3);
  const apps = Array.from({ length: 12 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'A',
    metadata: { name: `app-${index}` },
  }));

  it('is understood or refused, and its page is a part of the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { maxLength: 4 }), (entries) => {
        const url = new URL('https://api.example/v3/apps');
        for (const [name, text] of entries) url.searchParams.append(name, text);
        const read = answer(() => listQuery(asked(url), rules), CfError, url.href.length);
        if ('error' in read) {
          expect([400, 422]).toContain((read.error as CfError).status);
          return;
        }
        const query = read.value;
        const page = paged(asked(url), query, apps, ({ metadata }) => metadata) as {
          readonly pagination: { readonly total_results: number; readonly next: { readonly href: string } | null };
          readonly resources: readonly { readonly name: string }[];
        };
        expect(page.resources.length).toBeLessThanOrEqual(Math.min(query.perPage, page.pagination.total_results));
        expect(page.resources.map(({ name }) => name)).toEqual([...new Set(page.resources.map(({ name }) => name))]);
        // The next page is one that this API understands itself.
        const next = page.pagination.next;
        if (next) expect(listQuery(asked(new URL(next.href)), rules).page).toBe(query.page + 1);
      }),
      cases(800),
    );
  });

  it('of logs is understood or refused', () => {
    const entry = fc.tuple(
      fc.constantFrom('envelope_types', 'start_time', 'end_time', 'limit', 'descending', '__proto__'),
      hostileText(['LOG', 'ANY', ',', 'true', '1000', '-9223372036854775808', '9'.repeat(19)], 3),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
        const read = answer(() => logQuery(new URLSearchParams(entries)), CfError);
        if ('value' in read) expect(read.value.limit).toSatisfy((limit: number) => limit >= 1 && limit <= 1000);
      }),
      cases(400),
    );
  });
});

describe('the body of a request', () => {
  const relation = { data: { guid: 'g' } };
  const metadata = { labels: { a: 'b' }, annotations: { c: 'd' } };
  const bodies = {
    newApp: [newApp, { name: 'a', environment_variables: { A: 'b' }, relationships: { space: relation }, metadata }],
    changedApp: [changedApp, { name: 'a', metadata }],
    changedEnvironment: [changedEnvironment, { var: { A: 'b', C: null } }],
    newBuild: [newBuild, { package: { guid: 'g' }, metadata }],
    newDeployment: [
      newDeployment,
      { droplet: { guid: 'g' }, strategy: 'rolling', options: { max_in_flight: 1 }, relationships: { app: relation } },
    ],
    newDomain: [newDomain, { name: 'example.com', metadata }],
    newPackage: [newPackage, { type: 'docker', data: { image: 'a/b' }, relationships: { app: relation } }],
    newOrganization: [newOrganization, { name: 'o', metadata }],
    newSpace: [newSpace, { name: 's', relationships: { organization: relation } }],
    changedProcess: [
      changedProcess,
      { command: 'x', health_check: { type: 'http', data: { timeout: 1, endpoint: '/' } } },
    ],
    scale: [scale, { instances: 1, memory_in_mb: 64, disk_in_mb: 64 }],
    newRole: [newRole, { type: 'space_developer', relationships: { user: relation, space: relation } }],
    newRoute: [newRoute, { host: 'a', path: '/b', relationships: { domain: relation, space: relation } }],
    newDestinations: [newDestinations, { destinations: [{ app: { guid: 'g', process: { type: 'web' } }, port: 80 }] }],
    newTask: [newTask, { command: 'x', name: 't' }],
  } as const;
  const keys = ['name', 'data', 'guid', 'metadata', 'labels', 'annotations', 'relationships', 'type', 'var', 'space'];

  it.each(Object.entries(bodies))('is checked or refused: %s', (_, [schema, body]) => {
    fc.assert(
      fc.property(fc.oneof(twisted(body, keys), hostileJson(keys, 3)), (value) => {
        const read = answer(
          () => parsePayload<unknown>(value, schema as never),
          CfError,
          JSON.stringify(value).length * 2,
        );
        if ('error' in read) expect([400, 422]).toContain((read.error as CfError).status);
      }),
      cases(120),
    );
  });

  it('that is wrong in many places is not answered by more than it said', () => {
    const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]));
    const variables = {
      var: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`VCAP_${index}`, [index]])),
    };
    for (const [schema, body] of [
      [newOrganization, { name: 'o', metadata: { labels } }],
      [changedEnvironment, variables],
      [newDestinations, { destinations: Array(20_000).fill(1) }],
    ] as const) {
      expect(answer(() => parsePayload<unknown>(body, schema as never), CfError)).toHaveProperty('error.status', 422);
    }
    const deep: unknown = JSON.parse(`{"name":"o","metadata":{"labels":{"a":${deepJson(20_000)}}}}`);
    expect(answer(() => parsePayload<unknown>(deep, newOrganization), CfError)).toHaveProperty('error.status', 422);
  });

  it('has metadata that Kubernetes can hold, or is refused', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'example.com/a', 'cloudfoundry.org/a', 'x.cutover.dev/a'),
      hostileText(['a', '/', '.'], 4),
    );
    const entries = fc.dictionary(name, fc.option(hostileText(['a'], 3)));
    fc.assert(
      fc.property(entries, entries, (labels, annotations) => {
        const read = answer(() => metadataPatch({ labels, annotations }), CfError, 1000);
        if (!('value' in read)) return;
        for (const key of [...Object.keys(labels), ...Object.keys(annotations)]) {
          expect(key).toMatch(/^([a-z0-9][-a-z0-9.]*\/)?[-A-Za-z0-9_.]{1,63}$/);
          expect(key).not.toMatch(/(cloudfoundry\.org|cutover\.dev)\//);
        }
      }),
      cases(400),
    );
  });
});

describe('a manifest', () => {
  const original = `applications:
- name: shop
  instances: 2
  memory: 512M
  env: { A: b }
  routes: [{ route: shop.example.com/x }]
  processes:
  - type: worker
    command: run
    health-check-type: process
- name: other
  docker: { image: a/b }
`;
  const words = [
    'applications:',
    '- name: ',
    'memory: ',
    '1G',
    ': ',
    '\n',
    '  ',
    '&a ',
    '*a',
    '<<: *a',
    '!!str ',
    '[',
    ']',
    '{',
    '}',
    '|',
    '- ',
  ];

  it('is understood or refused in sentences', () => {
    fc.assert(
      fc.property(fc.oneof(mutated([original], words), hostileText(words)), (yaml) => {
        const read = answer(() => parseManifest(yaml), ManifestError, yaml.length * 3);
        if (!('value' in read)) return;
        for (const { name } of read.value.applications) expect(name).toMatch(/^[-\w]+$/);
      }),
      cases(500),
    );
  });

  it('is read to its end, however long it is', () => {
    fc.assert(
      fc.property(longText(words, 100_000), ({ text }) => {
        ending(() => answer(() => parseManifest(text), ManifestError, text.length));
      }),
      cases(25),
    );
  });
});

describe('addresses', () => {
  it('of routes fall into host, domain and path, and come together again', () => {
    const domains = ['example.com', 'apps.example.com', 'com'].map((name) => ({ guid: name, name }));
    const words = ['www', '.', 'example.com', 'apps.', '/', '/path', 'https://', '*.', '?', '#', '%2e'];
    fc.assert(
      fc.property(
        fc.oneof(hostileText(words), mutated(['https://a.apps.example.com/x/y', '*.example.com'], words)),
        (text) => {
          if (!isRouteText(text)) return;
          const parts = routeParts(text, domains);
          if (!parts) return;
          const url = routeUrl({ ...parts, domain: parts.domain.name });
          expect(isRouteText(url)).toBe(true);
          expect(routeParts(url, domains)).toEqual(parts);
        },
      ),
      cases(800),
    );
    fc.assert(
      fc.property(longText([...words, 'a.', 'a-']), ({ text }) => {
        ending(() => [isRouteText(text), routeParts(text, domains), imageName(text), megabytes(text)]);
      }),
      cases(30),
    );
  });

  it('of images lead to an origin of the host that was named', () => {
    const words = [
      'registry.example',
      ':5000',
      '/',
      'team',
      'app',
      ':1',
      '@sha256:',
      'a'.repeat(64),
      'localhost',
      '127.0.0.1',
      '[::1]',
      '@',
      '#',
      '?',
    ];
    fc.assert(
      fc.property(
        fc.oneof(hostileText(words), mutated(['registry.example:5000/team/app:1', 'nginx'], words)),
        (text) => {
          const name = imageName(text);
          if (!name) return;
          const origin = originOf(name.host);
          const url = URL.parse(`${origin}/v2/${name.repository}/manifests/${name.reference}`);
          if (!url) return;
          expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
          expect(url.pathname).toBe(`/v2/${name.repository}/manifests/${name.reference}`);
        },
      ),
      cases(800),
    );
  });
});
