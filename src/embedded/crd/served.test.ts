import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Draft, Printer, ServedResource, StrategyContext } from '../resource.ts';
import { applyDefaults } from '../schema/apply-defaults.ts';
import { prune } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { validate } from '../schema/validate.ts';
import { acceptNames } from './accept-names.ts';
import { asDefinition, type Definition } from './definition.ts';
import observed from './observed-objects.json' with { type: 'json' };
import { byPriority, served } from './served.ts';

const now = '2030-01-01T00:00:00Z';
const context = {} as StrategyContext;
const printer: Printer = { columns: [], cells: () => [] };

function definition(kind: string, spec: object = {}): Definition {
  const plural = `${kind.toLowerCase()}s`;
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, shortNames: ['sh'] };
  return asDefinition({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.lab.example.com` },
    spec: {
      group: 'lab.example.com',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      ...spec,
    },
    status: { storedVersions: ['v1'] },
  } as AnyObject);
}

const accepted = (one: Definition, others: readonly Definition[] = []): Definition => ({
  ...one,
  status: acceptNames(one, others, now),
});

const resources = (one: Definition): readonly ServedResource[] => served(one as never, () => printer);

function resourceOf(kind: string, schema: unknown, subresources: object): ServedResource {
  const versions = [{ name: 'v1', served: true, storage: true, subresources, schema: { openAPIV3Schema: schema } }];
  const [resource] = resources(accepted(definition(kind, { versions })));
  if (!resource) throw new Error('nothing is served');
  return resource;
}

/** What the server does with an object on its way in. */
function submit(resource: ServedResource, object: AnyObject, before?: AnyObject): { draft: Draft; causes: string[] } {
  const draft = structuredClone(object) as Draft;
  const schema = resource.schema as Schema;
  prune(schema, draft);
  applyDefaults(schema, draft);
  const { strategy } = resource;
  if (before) strategy.prepareForUpdate?.(draft, before, context);
  else strategy.prepareForCreate?.(draft, context);
  const written = draft as AnyObject;
  const errors = [...(strategy.validate?.(written, before, context) ?? []), ...validate(schema, written, before)];
  return { draft, causes: errors.map(({ reason, field, message }) => `${reason} ${field}: ${message}`).sort() };
}

describe(`a custom resource, as ${observed.server} takes it`, () => {
  const scale = {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.sel',
  };
  const kinds: Readonly<Record<string, ServedResource>> = {
    gadget: resourceOf('Gadget', observed.gadget, { status: {}, scale }),
    rule: resourceOf('Rule', observed.rules, {}),
    update: resourceOf('Rule', observed.rules, {}),
  };

  it.each(observed.facts as readonly { what: string; input: unknown; causes?: string[]; spec?: unknown }[])(
    '$what',
    ({ what, input, causes = [], spec }) => {
      const resource = kinds[what.split(' ')[0] ?? ''] as ServedResource;
      const given = input as { name?: string; before?: unknown; spec?: unknown } | null;
      const wrapped = typeof given === 'object' && given !== null && 'spec' in given;
      const object = (name: string, value: unknown): AnyObject => ({
        apiVersion: 'lab.example.com/v1',
        kind: resource.kind,
        metadata: { name, namespace: 'lab' },
        spec: value,
      });
      const name = wrapped && given.name ? given.name : 'r1';
      const before = wrapped && given.before ? object(name, given.before) : undefined;
      const result = submit(resource, object(name, wrapped ? given.spec : input), before);
      expect(result.causes).toEqual([...causes].sort());
      if (causes.length === 0) expect(result.draft.spec).toEqual(spec);
    },
  );

  it('is pruned and completed once and for all, and then right or wrong, whatever it is', () => {
    const { schema } = kinds.gadget as ServedResource;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('spec', 'status', 'x', 'metadata'), fc.jsonValue()), (value) => {
        const object = structuredClone(value);
        prune(schema as Schema, object);
        applyDefaults(schema as Schema, object);
        const once = structuredClone(object);
        expect(prune(schema as Schema, object)).toEqual([]);
        applyDefaults(schema as Schema, object);
        expect(object).toEqual(once);
        expect(Array.isArray(validate(schema as Schema, object))).toBe(true);
      }),
    );
  });

  it('keeps its status out of reach of the main endpoint when that has its own', () => {
    const object = { apiVersion: 'lab.example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: { size: 1 } };
    const sent = { ...object, status: { size: 3 } };
    expect(submit(kinds.gadget as ServedResource, sent).draft.status).toBeUndefined();
    const before = { ...object, status: { size: 1 } };
    expect(submit(kinds.gadget as ServedResource, sent, before).draft.status).toEqual({ size: 1 });
    expect(
      submit(kinds.rule as ServedResource, { ...sent, kind: 'Rule', status: undefined }).draft.status,
    ).toBeUndefined();
  });

  it('loses unknown metadata, but not what the server put there', () => {
    const draft = {
      apiVersion: 'lab.example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'g', foo: 1, managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': { 'f:size': {} } } }] },
      spec: { size: 1 },
    };
    expect(prune((kinds.gadget as ServedResource).schema as Schema, draft)).toEqual(['metadata.foo']);
    expect(draft.metadata.managedFields).toEqual([{ manager: 'm', fieldsV1: { 'f:spec': { 'f:size': {} } } }]);
  });
});

describe('served', () => {
  it('serves nothing before names are accepted', () => {
    expect(resources(definition('Widget'))).toEqual([]);
  });

  it('serves each served version, newest first, with its own subresources', () => {
    const version = (name: string, more: object = {}): object => ({
      name,
      served: true,
      storage: name === 'v1',
      ...more,
    });
    const versions = [
      version('v1alpha1'),
      version('v1', { subresources: { status: {} } }),
      version('v1beta1', { served: false }),
      version('v2'),
    ];
    const found = resources(accepted(definition('Widget', { versions })));
    expect(found.map(({ version: name, status }) => [name, status])).toEqual([
      ['v2', false],
      ['v1', true],
      ['v1alpha1', false],
    ]);
    expect(found[0]).toMatchObject({
      group: 'lab.example.com',
      plural: 'widgets',
      kind: 'Widget',
      listKind: 'WidgetList',
      shortNames: ['sh'],
      namespaced: true,
      custom: true,
      strategy: { generation: true },
    });
  });

  it('gives the same schema object for the same definition, so that what was compiled stays compiled', () => {
    const one = accepted(definition('Widget'));
    expect(resources(one)[0]?.schema).toBe(resources(one)[0]?.schema);
  });

  it('orders versions as kubectl prefers them', () => {
    const versions = ['foo10', 'v1', 'v11alpha2', 'v3beta1', 'v10', 'v2', 'v12alpha1', 'v10beta3', 'foo1', 'v11beta2'];
    expect(versions.sort(byPriority)).toEqual([
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
    ]);
  });
});

describe('acceptNames', () => {
  it('accepts free names and establishes at once', () => {
    const { status } = accepted(definition('Widget'));
    expect(status).toEqual({
      storedVersions: ['v1'],
      acceptedNames: definition('Widget').spec.names,
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
          message: 'no conflicts found',
          lastTransitionTime: now,
        },
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
          lastTransitionTime: now,
        },
      ],
    });
  });

  it('leaves a name with whoever had it first', () => {
    const first = accepted(definition('Widget'));
    const second = accepted(definition('Wodget'), [first]);
    expect(second.status?.conditions).toMatchObject([
      { type: 'NamesAccepted', status: 'False', reason: 'ShortNamesConflict', message: '"sh" is already in use' },
      { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
    ]);
    expect(second.status?.acceptedNames).toMatchObject({ plural: 'wodgets', kind: 'Wodget' });
    expect(second.status?.acceptedNames?.shortNames).toBeUndefined();
    expect(resources(second)).toEqual([]);
  });

  it('gives a name once it is free, and says since when', () => {
    const first = accepted(definition('Widget'));
    const second = accepted(definition('Wodget'), [first]);
    const later = acceptNames(second, [], '2030-01-02T00:00:00Z');
    expect(later.conditions).toMatchObject([
      { type: 'NamesAccepted', status: 'True', lastTransitionTime: '2030-01-02T00:00:00Z' },
      { type: 'Established', status: 'True' },
    ]);
  });

  it('does not mind the same names in another group', () => {
    const other = accepted(definition('Widget', { group: 'other.example.com' }));
    expect(accepted(definition('Widget'), [other]).status?.conditions?.[0]?.status).toBe('True');
  });
});
