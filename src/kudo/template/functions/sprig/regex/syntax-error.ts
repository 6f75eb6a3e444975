import { canBackquote, quote } from '../../../format/quote.ts';
import { FunctionFailure } from '../../../function.ts';

/** What is wrong with a regular expression, and which part of it, in the words of Go. */
export class RegexSyntaxError extends Error {
  override readonly name = 'RegexSyntaxError';

  constructor(problem: string, part: string) {
    super(`error parsing regexp: ${problem}: \`${part}\``);
  }
}

/** As Go panics where an expression must be right. */
export function compileFailure(source: string, error: RegexSyntaxError): FunctionFailure {
  const shown = canBackquote(source) ? `\`${source}\`` : quote(source);
  return new FunctionFailure(`regexp: Compile(${shown}): ${error.message}`);
}
