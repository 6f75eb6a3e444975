import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Draft, StrategyContext } from '../resource.ts';
import type { FieldError } from '../status-error.ts';
import { asDefinition } from './definition.ts';
import { definitionStrategy } from './definition-strategy.ts';
import { definitionWarnings } from './definition-warnings.ts';
import observed from './observed-definitions.json' with { type: 'json' };

const context = {} as StrategyContext;

function completed(definition: unknown): AnyObject {
  const draft = structuredClone(definition) as Draft;
  definitionStrategy.defaults?.(draft);
  definitionStrategy.prepareForCreate?.(draft, context);
  return draft as AnyObject;
}

const texts = (errors: readonly FieldError[] | undefined): string[] =>
  (errors ?? []).map(({ reason, field, message }) => `${reason} ${field}: ${message}`).sort();

describe(`a definition, as ${observed.server} judges it`, () => {
  it.each(observed.facts)('$what', ({ definition, causes }) => {
    expect(texts(definitionStrategy.validate?.(completed(definition), undefined, context))).toEqual(causes.sort());
  });
});

const widgets = observed.facts.find(({ what }) => what === 'ok')?.definition;

function established(): AnyObject {
  const object = completed(widgets) as Draft;
  object.status = { ...object.status, conditions: [{ type: 'Established', status: 'True' }] };
  return object as AnyObject;
}

function changed(change: (spec: Draft) => void): string[] {
  const before = established();
  const draft = structuredClone(before) as Draft;
  change(draft.spec);
  definitionStrategy.prepareForUpdate?.(draft, before, context);
  return texts(definitionStrategy.validate?.(draft as AnyObject, before, context));
}

describe('a change of a definition', () => {
  it('may not touch what objects are stored under', () => {
    expect(
      changed((spec) => {
        spec.scope = 'Cluster';
        spec.names.kind = 'Wodget';
      }),
    ).toEqual([
      'FieldValueInvalid spec.names.kind: Invalid value: "Wodget": field is immutable',
      'FieldValueInvalid spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
  });

  it('may not drop a version that objects may still be stored in', () => {
    const [error] = changed((spec) => {
      spec.versions = [{ ...spec.versions[0], name: 'v2' }];
    });
    expect(error).toContain('status.storedVersions[0]: Invalid value: "v1": missing from spec.versions');
  });

  it('remembers every version that was the storage version', () => {
    const before = established();
    const draft = structuredClone(before) as Draft;
    draft.spec.versions = [
      { ...draft.spec.versions[0], storage: false },
      { ...draft.spec.versions[0], name: 'v2', storage: true },
    ];
    definitionStrategy.prepareForUpdate?.(draft, before, context);
    expect(draft.status.storedVersions).toEqual(['v1', 'v2']);
    expect(before.status).toMatchObject({ storedVersions: ['v1'] });
  });
});

it('is completed with singular, list kind, conversion, and nothing the user says about its status', () => {
  const given = {
    ...widgets,
    status: { storedVersions: ['v9'], conditions: [{ type: 'Established', status: 'True' }] },
  };
  const { spec, status } = asDefinition(completed(given));
  expect(spec.names).toMatchObject({ singular: 'widget', listKind: 'WidgetList' });
  expect(spec.conversion).toEqual({ strategy: 'None' });
  expect(status).toMatchObject({ storedVersions: ['v1'], conditions: null });
});

it('refuses a conversion webhook in one line that says what to do instead', () => {
  const definition = structuredClone(widgets) as unknown as Draft;
  definition.spec.conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } };
  expect(texts(definitionStrategy.validate?.(completed(definition), undefined, context))).toEqual([
    'FieldValueForbidden spec.conversion.strategy: Forbidden: conversion webhooks are not supported by the embedded server: serve versions that need no conversion',
  ]);
});

it('warns of formats that nobody checks', () => {
  const definition = structuredClone(widgets) as unknown as Draft;
  definition.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.format = 'frob';
  expect(definitionWarnings(asDefinition(definition as AnyObject))).toEqual(['unrecognized format "frob"']);
});

describe('a definition with parts missing', () => {
  /** All places in a JSON value. */
  function* places(value: unknown, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      yield at;
      yield* places(child, at);
    }
  }

  function broken(definition: unknown, path: readonly (string | number)[], how: 'null' | 'gone' | 'empty'): unknown {
    const copy = structuredClone(definition) as Draft;
    const last = path.at(-1) as string;
    const parent = path.slice(0, -1).reduce<Draft>((at, step) => at[step], copy);
    if (how === 'gone' && Array.isArray(parent)) parent.splice(Number(last), 1);
    else if (how === 'gone') delete parent[last];
    else
      parent[last] =
        how === 'null' ? null : Array.isArray(parent[last]) ? [] : typeof parent[last] === 'object' ? {} : '';
    return copy;
  }

  it('is refused or accepted, and never breaks the server', () => {
    const candidates = observed.facts.flatMap(({ definition }) =>
      [...places(definition)].filter(([first]) => first === 'spec').map((path) => ({ definition, path })),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...candidates),
        fc.constantFrom('null', 'gone', 'empty'),
        ({ definition, path }, how) => {
          const completedDefinition = completed(broken(definition, path, how as 'null'));
          expect(Array.isArray(definitionStrategy.validate?.(completedDefinition, undefined, context))).toBe(true);
          definitionWarnings(asDefinition(completedDefinition));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gets told what every definition needs', () => {
    const { spec: _, ...nothing } = widgets as unknown as Record<string, unknown>;
    const errors = texts(definitionStrategy.validate?.(completed(nothing), undefined, context));
    expect(errors).toContain('FieldValueRequired spec.group: Required value');
    expect(errors).toContain('FieldValueRequired spec.names.plural: Required value');
    expect(errors).toContain('FieldValueRequired spec.scope: Required value');
  });
});
