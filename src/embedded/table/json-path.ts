import { isFields } from '../schema/json.ts';
/** Finds values in an object. What is missing finds nothing; what cannot be walked (an index into a string) finds nothing too. */
export type JsonPath = (root: unknown) => readonly unknown[];

type Step = (input: readonly unknown[]) => readonly unknown[];

/**
 * Compiles Kubernetes' dialect of JSONPath as printer columns and scale paths use it: `.spec.replicas`,
 * `.status.conditions[?(@.type=="Ready")].status`, `.items[0]`, `[-1:]`, `[*]`, `['name']`, `..name`, `\.` for a dot
 * inside a name. Surrounding braces are allowed.
 *
 * Errors: `undefined` for text that is no such path.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  const braces = /^\{(.*)\}$/s.exec(text);
  const parser = new Parser(braces?.[1] ?? text);
  const steps = parser.steps(() => parser.atEnd);
  if (!steps || !parser.atEnd) return undefined;
  return (root) => run(steps, [root]);
}

const run = (steps: readonly Step[], input: readonly unknown[]): readonly unknown[] =>
  steps.reduce((values, step) => step(values), input);

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Steps up to where `stop` holds; `undefined` when the text makes no sense. */
  steps(stop: () => boolean): Step[] | undefined {
    const steps: Step[] = [];
    if (this.#peek() === '$' || this.#peek() === '@') this.#at++;
    while (!stop()) {
      const step = this.#step();
      if (!step) return undefined;
      steps.push(step);
    }
    return steps;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(expression.source, 'y');
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found ?? undefined;
  }

  #step(): Step | undefined {
    if (this.#take(/\.\./)) {
      const name = this.#name();
      return name === undefined ? undefined : (input) => field(name)(input.flatMap(descendants));
    }
    if (this.#peek() === '[') return this.#brackets();
    if (this.#peek() === '.') this.#at++;
    else if (this.#at > 0) return undefined;
    if (this.#peek() === '[') return this.#brackets();
    if (this.#take(/\*/)) return wildcard;
    const name = this.#name();
    if (name === undefined) return this.atEnd ? (input) => input : undefined;
    return field(name);
  }

  #name(): string | undefined {
    return this.#take(/(?:\\.|[^.[\]\s\\()=<>!'"{}*@$?,])+/)?.[0].replace(/\\(.)/g, '$1');
  }

  #brackets(): Step | undefined {
    if (this.#take(/\[\s*\*\s*\]/)) return wildcard;
    const names = this.#take(/\[\s*('[^']*'(?:\s*,\s*'[^']*')*)\s*\]/)?.[1];
    // Quotes do not protect dots: Kubernetes reads what they hold as a path of its own.
    if (names) return union((names.match(/'[^']*'/g) ?? []).map((name) => path(name.slice(1, -1))));
    const slice = this.#take(/\[\s*(-?\d+)?\s*:\s*(-?\d+)?\s*(?::\s*(\d+)\s*)?\]/);
    if (slice) return range(numberOf(slice[1]), numberOf(slice[2]), numberOf(slice[3]) ?? 1);
    const indexes = this.#take(/\[\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*\]/);
    if (indexes?.[1]) return union(indexes[1].split(',').map((index) => element(Number(index))));
    return this.#take(/\[\s*\?\(/) ? this.#filter() : undefined;
  }

  /** `@.type == "Ready"`, or a bare path that must find something. */
  #filter(): Step | undefined {
    const left = this.#operand();
    if (!left) return undefined;
    const operator = this.#take(/\s*(==|!=|<=|>=|<|>)\s*/)?.[1];
    if (!operator) {
      if (!this.#take(/\s*\)\s*\]/)) return undefined;
      return elements((each) => left(each).length > 0);
    }
    const right = this.#operand();
    if (!right || !this.#take(/\s*\)\s*\]/)) return undefined;
    return elements((each) => {
      const [a, b] = [left(each), right(each)];
      return a.length === 1 && b.length === 1 && compare(operator, a[0], b[0]);
    });
  }

  #operand(): JsonPath | undefined {
    this.#take(/\s*/);
    const quoted = this.#take(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/);
    if (quoted) {
      const value = (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1');
      return () => [value];
    }
    const literal = this.#take(/-?\d+(?:\.\d+)?(?=[\s)=<>!])|true(?=[\s)=!])|false(?=[\s)=!])/)?.[0];
    if (literal) return () => [JSON.parse(literal)];
    if (this.#peek() !== '@' && this.#peek() !== '$') return undefined;
    const steps = this.steps(() => this.atEnd || /[\s)=<>!]/.test(this.#peek() ?? ''));
    return steps && ((root) => run(steps, [root]));
  }
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const field =
  (name: string): Step =>
  (input) =>
    input.flatMap((value) => (isFields(value) && Object.hasOwn(value, name) ? [value[name]] : []));

const path = (text: string): Step => {
  const names = text.split(/(?<!\\)\./).map((name) => field(name.replace(/\\(.)/g, '$1')));
  return (input) => run(names, input);
};

const wildcard: Step = (input) =>
  input.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));

const union =
  (steps: readonly Step[]): Step =>
  (input) =>
    steps.flatMap((step) => step(input));

const element =
  (index: number): Step =>
  (input) =>
    input.flatMap((value) => {
      const at = Array.isArray(value) && index < 0 ? index + value.length : index;
      return Array.isArray(value) && at >= 0 && at < value.length ? [value[at]] : [];
    });

const range =
  (from: number | undefined, to: number | undefined, step: number): Step =>
  (input) =>
    input.flatMap((value) =>
      Array.isArray(value) && step > 0
        ? value.slice(from ?? 0, to ?? value.length).filter((_, i) => i % step === 0)
        : [],
    );

const elements =
  (keep: (value: unknown) => boolean): Step =>
  (input) =>
    input.flatMap((value) => (Array.isArray(value) ? value.filter(keep) : []));

function descendants(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(descendants)];
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
  const [a, b] = [left, right as typeof left];
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}
