import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { realClock } from '../../src/clock/real.ts';
import { openAdmission } from '../../src/cloudfoundry/admission/open-admission.ts';
import { definitions as cloudFoundryDefinitions } from '../../src/cloudfoundry/family.ts';
import { parseSettings } from '../../src/cloudfoundry/parse-settings.ts';
import { defaultSettings } from '../../src/cloudfoundry/settings.ts';
import type { Hook } from '../../src/control/webhooks/admission.ts';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { definitions as flinkDefinitions, flinkFamily, flinkHooks } from '../../src/flink/family.ts';
import { Client } from '../../src/kube/client.ts';
import { discover } from '../../src/kube/discover.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, JsonObject } from '../../src/kube/object.ts';
import { instanceHook } from '../../src/kudo/admission/instance-hook.ts';
import { versionHook } from '../../src/kudo/admission/version-hook.ts';
import { definitions as kudoDefinitions } from '../../src/kudo/family.ts';
import { rendered } from '../install/rendered.ts';
import { admitted } from '../specs/admitted.ts';
import { type Cluster, openCluster } from '../stage/open-cluster.ts';
import { allPages, text } from './pages.ts';
import { readPage } from './read-page.ts';

interface Shown {
  readonly page: string;
  readonly number: number;
  readonly yaml: string;
}

const shown: readonly Shown[] = allPages().flatMap((page) =>
  readPage(text(page))
    .blocks.filter(({ language }) => language === 'yaml')
    .map((block, index) => ({ page, number: index + 1, yaml: block.text })),
);

/** What webhooks say of a new object of a group; `unknown`: nothing beside it can be looked up. */
const hooks: Readonly<Record<string, (kind: string) => Hook | undefined>> = {
  'flink.apache.org': () => flinkHooks(flinkFamily(defaultOperatorConfig), { find: () => 'unknown' })['/validate'],
  'korifi.cloudfoundry.org': () => openAdmission(defaultSettings, realClock).hooks['/cloudfoundry/validate'],
  'kudo.dev': (kind) => (kind === 'OperatorVersion' ? versionHook : instanceHook(async () => 'unknown')),
};

function objectsIn(yaml: string): readonly JsonObject[] {
  return parseAllDocuments(yaml).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.map(({ message }) => message).join('\n'));
    return document.toJS() as JsonObject;
  });
}

const isOurs = ({ apiVersion, kind, metadata }: JsonObject): boolean =>
  typeof apiVersion === 'string' && Object.hasOwn(hooks, apiVersion.split('/')[0] ?? '') && !!kind && !!metadata;

let cluster: Cluster;
let client: Client;

beforeAll(async () => {
  cluster = await openCluster({ seed: 4, nodes: { count: 0 } });
  client = new Client(cluster.embedded.transport(), { clock: cluster.clock });
  const definitions = [...flinkDefinitions(), ...cloudFoundryDefinitions(), ...kudoDefinitions()];
  for (const one of definitions) await client.resource(kinds.customResourceDefinitions).create(one as never);
});
afterAll(() => cluster.embedded.close());

/** What the API server and the webhook say to it; `undefined` when both take it. */
async function refusal(object: AnyObject): Promise<string | undefined> {
  const [group = ''] = object.apiVersion.split('/');
  const placed = { ...object, metadata: { namespace: 'default', ...object.metadata } };
  const type = await discover(client, object.apiVersion, object.kind);
  const options = { dryRun: true, fieldValidation: 'Strict' } as const;
  const said = await client
    .resource<AnyObject>(type)
    .create(placed, options)
    .then(
      () => undefined,
      (error: unknown) => String(error),
    );
  return said ?? admitted(hooks[group]?.(object.kind), placed, undefined);
}

describe('YAML that pages show', () => {
  it.each(shown)('can be read: $page, block $number', ({ yaml }) => {
    expect(objectsIn(yaml).length).toBeGreaterThan(0);
  });

  it.each(shown.filter(({ yaml }) => objectsIn(yaml).some(isOurs)))(
    'is accepted as it is: $page, block $number',
    async ({ yaml }) => {
      for (const object of objectsIn(yaml).filter(isOurs)) expect(await refusal(object as AnyObject)).toBeUndefined();
    },
  );

  it.each([
    ['a field that the kind does not have', { job: { jarUri: 'local:///a.jar' } }, 'jarUri'],
    ['what the webhook refuses', { flinkConfiguration: { 'kubernetes.namespace': 'b' } }, 'kubernetes.namespace'],
  ])('would not be accepted with %s', async (_, spec, named) => {
    const metadata = { name: 'orders' };
    const object = { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment', metadata, spec };
    expect(await refusal(object as AnyObject)).toContain(named);
  });
});

describe('values of the chart that pages show', () => {
  const values = shown.filter(
    ({ page, yaml }) =>
      /^docs\/(install|migrate|operate)\//.test(page) && !objectsIn(yaml).some((one) => one.apiVersion !== undefined),
  );

  it.each(values)('are taken: $page, block $number', ({ yaml }) => {
    const [given = {}] = objectsIn(yaml);
    expect(rendered(given).objects.length).toBeGreaterThan(3);
    const { settings } = (given.cloudfoundry ?? {}) as { readonly settings?: JsonObject };
    if (settings) expect(parseSettings(stringify(settings), 'v1')).toMatchObject(settings);
  });

  /** Installations that pages tell people to type; an upgrade keeps the image that is there. */
  const installs = allPages().flatMap((page) =>
    readPage(text(page))
      .blocks.filter(({ language }) => language === 'sh')
      .flatMap(({ text: block }) => block.replaceAll('\\\n', ' ').split('\n'))
      .filter((line) => /^(helm install|helm upgrade --install|cutover install generate) /.test(line))
      .map((line) => ({ page, line })),
  );

  it.each(installs)('name an image, for there is no public one: $page, $line', ({ page, line }) => {
    const ofPage = values
      .filter((one) => one.page === page)
      .flatMap(({ yaml }) => objectsIn(yaml))
      .some(({ image }) => typeof (image as { readonly repository?: unknown } | undefined)?.repository === 'string');
    expect(line.includes('--set image.repository=') || (line.includes('--values') && ofPage)).toBe(true);
  });

  it('are on the pages that tell how to install', () => {
    expect(installs.length).toBeGreaterThan(5);
    expect(values.length).toBeGreaterThan(4);
  });
});
