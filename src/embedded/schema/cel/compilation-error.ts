import { type ASTNode, TypeError as CheckError, ParseError } from '@marcbachmann/cel-js';

interface Fault {
  readonly at: number;
  readonly reason: string;
}

/**
 * Why an expression does not compile, as the API server says it: place, reason, and the line with a mark under it.
 * `functions` are the names of all functions there are.
 */
export function compilationError(text: string, error: unknown, functions: ReadonlySet<string>): string {
  if (error instanceof CheckError) return laidOut(text, faultOf(text, error, functions));
  const reason = error instanceof ParseError ? error.summary : error instanceof Error ? error.message : String(error);
  const at = error instanceof ParseError ? (error.range?.start ?? 0) : 0;
  return laidOut(text, { at, reason: `Syntax error: ${reason}` });
}

/** `has()` asks for a field that the schema does not have. */
export function undefinedField(text: string, at: number, field: string): string {
  return laidOut(text, { at, reason: `undefined field '${field}'` });
}

function laidOut(text: string, { at, reason }: Fault): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - (before.lastIndexOf('\n') + 1);
  const source = text.split('\n')[line - 1] ?? '';
  return `compilation failed: ERROR: <input>:${line}:${column + 1}: ${reason}\n | ${source}\n | ${'.'.repeat(column)}^`;
}

function faultOf(text: string, error: CheckError, functions: ReadonlySet<string>): Fault {
  const at = error.range?.start ?? 0;
  const { node } = error;
  switch (error.code) {
    case 'no_such_key':
      // The mark stands under the dot.
      return { at: at - 1, reason: `undefined field '${error.summary.replace(/^No such key: /, '')}'` };
    case 'unknown_variable':
      return { at, reason: undeclared(error.summary.replace(/^Unknown variable: /, '')) };
    case 'no_matching_overload':
      return node ? callFault(text, node, error.summary, functions) : { at, reason: error.summary };
    case 'no_such_overload':
      return node ? operatorFault(text, node, error.summary) : { at, reason: error.summary };
    default:
      return { at, reason: error.summary };
  }
}

const undeclared = (name: string): string => `undeclared reference to '${name}' (in container '')`;

/** A function that does not exist, or not for such arguments. The mark stands under the parenthesis. */
function callFault(text: string, node: ASTNode, summary: string, functions: ReadonlySet<string>): Fault {
  const isCall = node.op === 'call' || node.op === 'rcall';
  if (!isCall) return { at: node.range.start, reason: summary };
  const name = node.args[0];
  const from = node.op === 'rcall' ? node.args[1].range.end : node.range.start;
  const at = Math.max(from, text.indexOf('(', text.indexOf(name, from)));
  if (!functions.has(name)) return { at, reason: undeclared(name) };
  const types = /'(?:(.+)\.)?[^.(]+\((.*)\)'$/.exec(summary);
  const [receiver, rest] = [types?.[1], types?.[2] ?? ''];
  const given = receiver === undefined ? `(${rest})` : `${receiver}.(${rest})`;
  return { at, reason: `found no matching overload for '${name}' applied to '${given}'` };
}

/** An operator that does not take such operands. The mark stands under it. */
function operatorFault(text: string, node: ASTNode, summary: string): Fault {
  const left = Array.isArray(node.args) ? (node.args[0] as ASTNode | undefined) : undefined;
  const types = /^no such overload: (.+) (\S+) (.+)$/.exec(summary);
  if (!left?.range || !types) return { at: node.range.start, reason: summary };
  const at = text.indexOf(String(node.op), left.range.end);
  const reason = `found no matching overload for '_${types[2]}_' applied to '(${types[1]}, ${types[3]})'`;
  return { at: at < 0 ? node.range.start : at, reason };
}
