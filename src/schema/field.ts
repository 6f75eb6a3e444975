import type { ChangeRule } from './change-rule.ts';

/** The types of a structural schema. */
export type FieldType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/** A CEL rule that the API server checks on every write. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** Relative to the field that carries the rule: `.max`. */
  readonly fieldPath?: string;
  /** The rule is also checked on create, with `oldSelf` as an optional value. */
  readonly optionalOldSelf?: boolean;
}

/** What a branch of `allOf`, `anyOf` or `oneOf` may say in a structural schema: values, never structure. */
export interface Validation {
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Validation>>;
}

/** Kubernetes' extensions of OpenAPI, under their own names so that whoever knows them from a CRD knows them here. */
export interface Extensions {
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-embedded-resource'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** What Cutover knows of a field beyond its schema. None of it reaches the API server. */
export interface Annotations {
  /** The field's diff class. */
  readonly change?: ChangeRule;
  /** The value is nobody's business: diffs, messages and docs say only whether it is there. */
  readonly secret?: boolean;
  readonly deprecated?: boolean;
}

/**
 * One node of a kind's schema: a structural schema as the API server wants it, with `Annotations` on it. The CRD, the
 * reference and the diff all read this one tree. It is plain data: a family whose classes come at run time (KUDO's
 * `params.yaml`) builds it by hand.
 */
export interface Field extends Extensions, Annotations {
  readonly type?: FieldType;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Field>>;
  readonly additionalProperties?: Field;
  readonly items?: Field;
  readonly allOf?: readonly Validation[];
  readonly anyOf?: readonly (Validation | { readonly type: FieldType })[];
  readonly oneOf?: readonly Validation[];
}
