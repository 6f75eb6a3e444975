import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { runCommand } from '../../../rig/command.ts';

const schema = join(import.meta.dirname, '..', '..', '..', 'integrations', 'kustomize', 'cutover.json');
const folder = mkdtempSync(join(tmpdir(), 'cutover-kustomize-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Template = Readonly<Record<string, unknown>>;

const podTemplate = (main: Template, ...others: readonly Template[]): Template => ({
  spec: { containers: [main, ...others] },
});
const before = podTemplate(
  { name: 'main', image: 'main:1', env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80, name: 'web' }] },
  { name: 'side', image: 'side:1' },
);
const patch = podTemplate({ name: 'main', env: [{ name: 'B', value: '2' }] });

const flink = { apiVersion: 'flink.apache.org/v1beta1' };
const metadata = { name: 'one' };
const kinds: readonly (readonly [string, (template: Template) => Template])[] = [
  [
    'FlinkDeployment',
    (podTemplate) => ({ ...flink, kind: 'FlinkDeployment', metadata, spec: { taskManager: { podTemplate } } }),
  ],
  [
    'FlinkBlueGreenDeployment',
    (podTemplate) => {
      const template = { spec: { podTemplate } };
      return { ...flink, kind: 'FlinkBlueGreenDeployment', metadata, spec: { template } };
    },
  ],
  // Kustomize forgets its own schema when it is given one.
  ['Deployment', (template) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { template } })],
];

/** What `kubectl kustomize` makes of a patch of three objects at once, by kind. */
async function built(openapi: object): Promise<Readonly<Record<string, string>>> {
  copyFileSync(schema, join(folder, 'cutover.json'));
  const patches = kinds.map(([, of]) => ({ patch: stringify(of(patch)) }));
  writeFileSync(join(folder, 'all.yaml'), kinds.map(([, of]) => stringify(of(before))).join('---\n'));
  writeFileSync(join(folder, 'kustomization.yaml'), stringify({ resources: ['all.yaml'], patches, ...openapi }));
  const objects = parseAllDocuments(await runCommand('kubectl', ['kustomize', folder]));
  return Object.fromEntries(
    objects.map((document) => {
      const object = document.toJS() as { readonly kind: string };
      return [object.kind, JSON.stringify(object)];
    }),
  );
}

it('kustomize merges containers by name and their variables, too, with our schema and not without it', async () => {
  const merged = await built({ openapi: { path: 'cutover.json' } });
  for (const [kind] of kinds) {
    for (const kept of ['main:1', 'side:1', '"A"', '"B"', '"containerPort":80'])
      expect(merged[kind], kind).toContain(kept);
  }
  const replaced = await built({});
  expect(replaced.FlinkDeployment).not.toContain('side:1');
});
