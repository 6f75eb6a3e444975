import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { definitionsGo, eventually } from './api.ts';
import { conformance } from './server.ts';

const server = conformance();
const root = new URL('../../', import.meta.url);
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Every definition that the project generates: the operator's own and the toy's. */
const files = [
  'test/toy/crd.yaml',
  ...readdirSync(root)
    .filter((name) => name === 'crds')
    .flatMap((folder) => readdirSync(new URL(`${folder}/`, root)).map((name) => `${folder}/${name}`)),
];

describe('a generated definition', () => {
  it.each(files)('%s is accepted as it is, and served', definitionsGo, async (file) => {
    const { api } = server();
    const definition = parse(readFileSync(new URL(file, root), 'utf8'));
    const path = `${crds}/${definition.metadata.name}`;
    const applied = await api.apply(`${path}?fieldManager=conformance&fieldValidation=Strict`, definition);
    expect(applied.body).toMatchObject({ kind: 'CustomResourceDefinition' });
    expect(applied.headers.warning).toBeUndefined();
    await eventually(async () => {
      const { status } = await api.must('GET', path);
      expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
      expect(status.conditions).not.toContainEqual(
        expect.objectContaining({ type: 'NonStructuralSchema', status: 'True' }),
      );
    });
    await api.must('DELETE', path);
    await eventually(async () => expect((await api.get(path)).status).toBe(404), definitionsGo.limitMs);
  });
});
