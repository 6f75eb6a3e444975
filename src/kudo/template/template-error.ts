/** What is wrong with a template, and where. The message is the one Go gives, word for word, where Go has one. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  /** The name the template was parsed under: its file. */
  readonly template: string;
  /** The first line is 1. */
  readonly line: number;
  /** Bytes before the place in its line, as Go counts. Parse errors have none. */
  readonly column?: number;
  readonly stage: 'parse' | 'execute' | 'limit';

  constructor(
    stage: TemplateError['stage'],
    place: { readonly template: string; readonly line: number; readonly column?: number },
    message: string,
  ) {
    super(message);
    this.stage = stage;
    this.template = place.template;
    this.line = place.line;
    if (place.column !== undefined) this.column = place.column;
  }
}
