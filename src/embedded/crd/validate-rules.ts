import { fieldPathOf } from '../schema/cel/field-path.ts';
import { compileRules } from '../schema/cel/rules.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import { goStruct } from '../schema/go-text.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import type { FieldError } from '../status-error.ts';
import { servedSchema } from './served-schema.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Every rule (`x-kubernetes-validations`) must say something, and compile against the schema it stands in. */
export function validateRules(schema: Schema, path: string, compile: boolean): readonly FieldError[] {
  return walk(servedSchema(schema) ?? schema, path, compile, undefined);
}

function walk(schema: Schema, path: string, compile: boolean, unmatched: string | undefined): FieldError[] {
  const { items, properties = {}, additionalProperties: more } = schema;
  const errors: FieldError[] = [];
  if (typeof more === 'object') errors.push(...walk(more, `${path}.additionalProperties`, compile, unmatched));
  const insideFields = schema['x-kubernetes-map-type'] === 'atomic' ? (unmatched ?? path) : unmatched;
  for (const [name, child] of Object.entries(properties)) {
    errors.push(...walk(child, `${path}.properties[${name}]`, compile, insideFields));
  }
  const insideItems = schema['x-kubernetes-list-type'] === 'map' ? unmatched : (unmatched ?? path);
  if (items) errors.push(...walk(items, `${path}.items`, compile, insideItems));

  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return errors;
  const own = rules.flatMap((rule, i) => spelled(schema, rule, `${path}.x-kubernetes-validations[${i}]`));
  errors.push(...own);
  if (!compile || errors.length > 0) return errors;
  for (const [i, compiled] of compileRules(schema).entries()) {
    const at = `${path}.x-kubernetes-validations[${i}]`;
    const rule = rules[i] as ValidationRule;
    if (compiled.problem) errors.push(uncompiled(`${at}.rule`, rule, compiled.problem));
    if (compiled.messageProblem) errors.push(uncompiled(`${at}.messageExpression`, rule, compiled.messageProblem));
    if (compiled.usesOldSelf && unmatched !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${unmatched}`;
      errors.push(invalidValue(`${at}.rule`, rule.rule, why));
    }
    if (!compiled.usesOldSelf && !compiled.problem && rule.optionalOldSelf !== undefined) {
      const why = 'may not be set if oldSelf is not used in rule';
      errors.push(invalidValue(`${at}.optionalOldSelf`, rule.optionalOldSelf, why));
    }
  }
  return errors;
}

/** The API server shows the whole rule here, field by field. */
function uncompiled(field: string, rule: ValidationRule, why: string): FieldError {
  const shown = goStruct({
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  });
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${shown}: ${why}` };
}

const lines = /[\n\r]/;

function spelled(schema: Schema, rule: ValidationRule, path: string): FieldError[] {
  const { message = '', messageExpression = '', fieldPath = '' } = rule;
  const text = (rule.rule ?? '').trim();
  const errors: FieldError[] = [];
  if (text === '') {
    errors.push(requiredValue(`${path}.rule`, 'rule is not specified'));
  } else if (message !== '' && message.trim() === '') {
    errors.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (lines.test(message.trim())) {
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'));
  } else if (lines.test(text) && message.trim() === '') {
    errors.push(requiredValue(`${path}.message`, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(requiredValue(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  }
  if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
    errors.push(unsupportedValue(`${path}.reason`, rule.reason, reasons));
  }
  if (fieldPath === '') return errors;
  if (fieldPath.trim() === '') {
    errors.push(invalidValue(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  }
  if (lines.test(fieldPath)) errors.push(invalidValue(`${path}.fieldPath`, fieldPath, 'must not contain line breaks'));
  if (fieldPathOf(schema, fieldPath) === undefined) {
    errors.push(invalidValue(`${path}.fieldPath`, fieldPath, 'must be a valid path'));
  }
  return errors;
}
