import type { ParseResult } from '@marcbachmann/cel-js';
import type { Schema, ValidationRule } from '../schema.ts';
import { compilationError } from './compilation-error.ts';
import { baseEnvironment } from './environment.ts';
import { fieldPathOf } from './field-path.ts';
import { type Shape, shapeOf } from './shape.ts';

/** A rule of a schema, ready to run, or why it cannot. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: ParseResult | undefined;
  readonly message: ParseResult | undefined;
  /** Compares with the value before an update: runs only when there is one, unless `oldSelf` is optional. */
  readonly usesOldSelf: boolean;
  /** Below the rule's place, where its error is reported. */
  readonly fieldPath: string | undefined;
  readonly problem: string | undefined;
  readonly messageProblem: string | undefined;
  readonly shape: Shape | undefined;
}

const compiled = new WeakMap<Schema, readonly CompiledRule[]>();

/** The rules of a schema, in order; compiled once per schema. Rules that it cannot run have a `problem`. */
export function compileRules(schema: Schema): readonly CompiledRule[] {
  let rules = compiled.get(schema);
  if (!rules) {
    rules = compile(schema);
    compiled.set(schema, rules);
  }
  return rules;
}

function compile(schema: Schema): readonly CompiledRule[] {
  const environment = baseEnvironment();
  const shape = shapeOf(environment, schema);
  if (shape) environment.registerVariable('self', shape.type);
  const plain = environment.clone();
  const optional = environment.clone();
  if (shape) {
    plain.registerVariable('oldSelf', shape.type);
    optional.registerVariable('oldSelf', `optional<${shape.type}>`);
  }
  return (schema['x-kubernetes-validations'] ?? []).map((rule) => {
    const place = rule.optionalOldSelf ? optional : plain;
    const main = expression(place, rule.rule, 'bool', 'cel expression must evaluate to a bool');
    const words = rule.messageExpression
      ? expression(place, rule.messageExpression, 'string', 'messageExpression must evaluate to a string')
      : undefined;
    return {
      rule,
      program: main.program,
      message: words?.program,
      usesOldSelf: mentions(rule.rule, 'oldSelf'),
      fieldPath: rule.fieldPath ? fieldPathOf(schema, rule.fieldPath) : undefined,
      problem: main.problem,
      messageProblem: words?.problem && `messageExpression ${words.problem}`.replace(/^(messageExpression ){2}/, '$1'),
      shape,
    };
  });
}

function expression(
  environment: ReturnType<typeof baseEnvironment>,
  text: string,
  type: string,
  otherwise: string,
): { readonly program?: ParseResult; readonly problem?: string } {
  try {
    const program = environment.parse(text);
    const checked = program.check();
    if (!checked.valid) return { problem: compilationError(text, checked.error) };
    return checked.type === type || checked.type === 'dyn' ? { program } : { problem: otherwise };
  } catch (error) {
    return { problem: compilationError(text, error) };
  }
}

/** Whether an expression uses a variable: the name outside of strings, and not as a field. */
function mentions(text: string, name: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  return new RegExp(`(?<![\\w.])${name}\\b`).test(bare);
}
