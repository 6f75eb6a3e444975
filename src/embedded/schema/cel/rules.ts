import { type ASTNode, type Environment, type ParseResult, serialize } from '@marcbachmann/cel-js';
import type { Schema, ValidationRule } from '../schema.ts';
import { compilationError, undefinedField } from './compilation-error.ts';
import { baseEnvironment } from './environment.ts';
import { fieldPathOf } from './field-path.ts';
import { nodesOf } from './nodes.ts';
import { type Shape, shapeOf } from './shape.ts';

/** A rule of a schema, ready to run, or why it cannot; neither for an empty one, which says nothing. */
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
  return (schema['x-kubernetes-validations'] ?? []).map((given) => {
    const rule = { ...given, rule: given.rule ?? '' };
    const place = rule.optionalOldSelf ? optional : plain;
    const main = expression(place, rule.rule, 'bool', 'cel expression must evaluate to a bool');
    const words = rule.messageExpression
      ? expression(place, rule.messageExpression, 'string', 'must evaluate to a string')
      : undefined;
    return {
      rule,
      program: main.program,
      message: words?.program,
      usesOldSelf: main.usesOldSelf,
      fieldPath: rule.fieldPath ? fieldPathOf(schema, rule.fieldPath) : undefined,
      problem: main.problem,
      messageProblem: words?.problem && `messageExpression ${words.problem}`,
      shape,
    };
  });
}

interface Expression {
  readonly program: ParseResult | undefined;
  readonly problem: string | undefined;
  readonly usesOldSelf: boolean;
}

function expression(environment: Environment, text: string, type: string, otherwise: string): Expression {
  if (text.trim() === '') return { program: undefined, problem: undefined, usesOldSelf: false };
  let usesOldSelf = false;
  const failed = (problem: string): Expression => ({ program: undefined, problem, usesOldSelf });
  try {
    const program = environment.parse(text);
    usesOldSelf = [...nodesOf(program.ast)].some(({ op, args }) => op === 'id' && args === 'oldSelf');
    const checked = program.check();
    if (!checked.valid) return failed(compilationError(text, checked.error, functionNames(environment)));
    const missing = missingField(environment, text, program.ast);
    if (missing) return failed(missing);
    if (checked.type !== type && checked.type !== 'dyn') return failed(otherwise);
    return { program, problem: undefined, usesOldSelf };
  } catch (error) {
    return failed(compilationError(text, error, functionNames(environment)));
  }
}

function functionNames(environment: Environment): ReadonlySet<string> {
  return new Set(environment.getDefinitions().functions.map(({ name }) => name));
}

/** The evaluator's `has()` takes any field; the API server wants one that there can be. */
function missingField(environment: Environment, text: string, ast: ASTNode): string | undefined {
  for (const node of nodesOf(ast)) {
    if (node.op !== 'call' || node.args[0] !== 'has') continue;
    const [field] = node.args[1];
    if (field?.op !== '.' || !/^(old)?[sS]elf\b/.test(serialize(field))) continue;
    const checked = environment.check(serialize(field));
    if (!checked.valid && checked.error?.code === 'no_such_key') {
      return undefinedField(text, node.range.start + 'has'.length, field.args[1]);
    }
  }
  return undefined;
}
