import * as z from 'zod';
import type { Field, ValidationRule } from './field.ts';
import { type FieldError, fieldErrors } from './field-error.ts';
import { fieldOf } from './field-of.ts';
import { checkNames, checkPaths } from './kind-checks.ts';

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** JSON path from the object's root: `.status.phase`. */
  readonly path: string;
  readonly description?: string;
  readonly format?: string;
  /** Shown only with `-o wide`. */
  readonly wide?: true;
}

/** Where `kubectl scale` and autoscalers find what they need. JSON paths from the object's root. */
export interface Scale {
  readonly spec: string;
  readonly status: string;
  readonly selector?: string;
}

/** One kind in one version, as a family writes it down. */
export interface KindDefinition<Spec extends z.ZodType, Status extends z.ZodType> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** By default the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  /** What the kind is for; `kubectl explain` shows it. */
  readonly description?: string;
  readonly spec: Spec;
  /** With a status the kind has a status subresource. */
  readonly status?: Status;
  readonly columns?: readonly Column[];
  readonly scale?: Scale;
  /** CEL rules over the whole object; of metadata they see only the name. */
  readonly rules?: readonly ValidationRule[];
  /** Whether the API server offers this version; true by default. */
  readonly served?: boolean;
  /** Whether objects are stored in this version; true by default. Of several versions exactly one is. */
  readonly storage?: boolean;
  /** Marks the version as deprecated, with the warning that clients get. */
  readonly deprecation?: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The spec or the status of a kind. */
export interface Part<T> {
  /** The schema as the API server knows it, with diff classes. */
  readonly field: Field;
  /** Checks a value and fills in defaults. Fields that the schema does not know are left out, as the server prunes them. */
  parse(value: unknown): Parsed<T>;
}

/** A kind: everything that is generated from, or asked of, one definition. */
export interface Kind<Spec = unknown, Status = unknown> {
  /** How a client addresses the kind. */
  readonly type: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly plural: string;
    readonly namespaced: boolean;
  };
  /** `group/version` */
  readonly apiVersion: string;
  readonly definition: KindDefinition<z.ZodType, z.ZodType>;
  readonly spec: Part<Spec>;
  /** Of a kind without status, an empty object. */
  readonly status: Part<Status>;
  /** The one validation for webhook, controller and command line: envelope and spec. Empty when all is well. */
  validate(object: unknown): readonly FieldError[];
}

/** The type without the freedom to change it, all the way down. */
export type DeepReadonly<T> = T extends (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** What an object of a kind has beside its envelope: `type Lamp = KubeObject & Body<typeof lamp>`. */
export type Body<K> =
  K extends Kind<infer Spec, infer Status> ? { readonly spec: Spec; readonly status?: Status } : never;

/**
 * Defines a kind.
 *
 * Throws a `DefinitionError` that names the field when Kubernetes could not hold the kind: a definition that loads can
 * be installed.
 */
export function defineKind<Spec extends z.ZodType, Status extends z.ZodType = z.ZodObject>(
  definition: KindDefinition<Spec, Status>,
): Kind<DeepReadonly<z.output<Spec>>, DeepReadonly<z.output<Status>>> {
  const { group, version, kind, plural, scope } = definition;
  checkNames(definition);
  const spec = part(definition.spec, kind, 'spec');
  const status = part(definition.status ?? z.object({}), kind, 'status');
  checkPaths(definition, { type: 'object', properties: { spec: spec.field, status: status.field } });
  const apiVersion = `${group}/${version}`;
  return {
    type: { group, version, kind, plural, namespaced: scope === 'Namespaced' },
    apiVersion,
    definition,
    spec: spec as Part<DeepReadonly<z.output<Spec>>>,
    status: status as Part<DeepReadonly<z.output<Status>>>,
    validate(object) {
      const envelope = z.object({ apiVersion: z.literal(apiVersion), kind: z.literal(kind) }).safeParse(object);
      if (!envelope.success) return fieldErrors(envelope.error.issues, object, {}, '');
      const parsed = spec.parse((object as { spec?: unknown }).spec);
      return parsed.ok ? [] : parsed.errors;
    },
  };
}

function part(schema: z.ZodType, kind: string, name: 'spec' | 'status'): Part<unknown> {
  const field = fieldOf(schema, `${kind}.${name}`);
  return {
    field,
    parse(value) {
      let result: z.ZodSafeParseResult<unknown>;
      try {
        result = schema.safeParse(value);
      } catch {
        // Zod measures whatever has a `length`, and throws where that is an object that is no number.
        const message = 'Invalid value: a text or list in it is something else';
        return { ok: false, errors: [{ path: name, reason: 'FieldValueTypeInvalid', message }] };
      }
      return result.success
        ? { ok: true, value: result.data }
        : { ok: false, errors: fieldErrors(result.error.issues, value, field, name) };
    },
  };
}
