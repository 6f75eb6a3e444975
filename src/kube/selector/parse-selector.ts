import { KubeError } from '../error.ts';
import { isInteger, labelKeyProblem, labelValueProblem, type Requirement } from './requirement.ts';

/**
 * Reads a label selector in Kubernetes' string form: `app=web,tier in (a,b),!canary,weight>5`. Empty selects everything.
 *
 * Errors: a `KubeError` of kind `refused`, in the API server's own words.
 */
export function parseSelector(text: string): readonly Requirement[] {
  const tokens = new Tokens(text);
  const requirements: Requirement[] = [];
  for (;;) {
    const next = tokens.peek();
    if (next === '') return requirements;
    if (next !== '!' && !isWord(next)) throw tokens.expected("!, identifier, or 'end of string'");
    try {
      requirements.push(requirement(tokens));
    } catch (error) {
      throw new KubeError('refused', `unable to parse requirement: ${(error as Error).message}`);
    }
    const separator = tokens.peek();
    if (separator === '') return requirements;
    if (separator !== ',') throw tokens.expected("',' or 'end of string'");
    tokens.take();
    const following = tokens.peek();
    if (following !== '!' && !isWord(following)) throw tokens.expected("identifier after ','");
  }
}

function requirement(tokens: Tokens): Requirement {
  const negated = tokens.peek() === '!';
  if (negated) tokens.take();
  if (!isWord(tokens.peek())) throw tokens.expected('identifier');
  const key = tokens.take();
  const problem = labelKeyProblem(key);
  if (problem) throw invalid('<nil>', key, problem);

  if (negated) return { key, operator: 'absent' };
  const operator = tokens.peek();
  switch (operator) {
    case '':
    case ',':
      return { key, operator: 'exists' };
    case '=':
    case '==':
      tokens.take();
      return { key, operator: 'in', values: [checked(key, exactValue(tokens))] };
    case '!=':
      tokens.take();
      return { key, operator: 'notin', values: [checked(key, exactValue(tokens))] };
    case 'in':
    case 'notin':
      tokens.take();
      return { key, operator, values: valueSet(tokens).map((value, index) => checked(key, value, index)) };
    case '>':
    case '<': {
      tokens.take();
      const value = exactValue(tokens);
      if (!isInteger(value)) {
        throw invalid('values[0]', value, "for 'Gt', 'Lt' operators, the value must be an integer");
      }
      return { key, operator, value };
    }
    default:
      throw tokens.expected('in, notin, =, ==, !=, gt, lt');
  }
}

/** The value after `=`; nothing there is the empty value. */
function exactValue(tokens: Tokens): string {
  const next = tokens.peek();
  if (next === '' || next === ',') return '';
  if (!isWord(next)) throw tokens.expected('identifier');
  return tokens.take();
}

/** `(a,b)`. Nothing between two commas or parentheses is the empty value. */
function valueSet(tokens: Tokens): readonly string[] {
  if (tokens.peek() !== '(') throw new KubeError('refused', `found '${tokens.peek()}' expected: '('`);
  tokens.take();
  const values = new Set<string>();
  for (;;) {
    const next = tokens.peek();
    if (isWord(next)) values.add(tokens.take());
    else if (next === ',' || next === ')') values.add('');
    else throw tokens.expected("',', ')' or identifier");
    const separator = tokens.peek();
    if (separator !== ',' && separator !== ')') throw tokens.expected("',' or ')'");
    tokens.take();
    if (separator === ')') return [...values].sort();
  }
}

function checked(key: string, value: string, index = 0): string {
  const problem = labelValueProblem(value);
  if (problem) throw invalid(`values[${index}][${key}]`, value, problem);
  return value;
}

function invalid(field: string, value: string, problem: string): KubeError {
  return new KubeError('refused', `${field}: Invalid value: ${JSON.stringify(value)}: ${problem}`);
}

function isWord(token: string): boolean {
  return token !== '' && !/^[=!(),<>]/.test(token);
}

class Tokens {
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = text.match(/!=|==|[=!(),<>]|[^\s=!(),<>]+/g) ?? [];
  }

  /** The next token; empty at the end. */
  peek(): string {
    return this.#tokens[this.#position] ?? '';
  }

  take(): string {
    return this.#tokens[this.#position++] ?? '';
  }

  expected(what: string): KubeError {
    return new KubeError('refused', `found '${this.peek()}', expected: ${what}`);
  }
}
