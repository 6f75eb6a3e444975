import type { Json } from '../../../src/kube/object.ts';

/** Times of any form that an answer holds. */
const time = /^\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(\.\d+)?Z?$/;

/**
 * What stands for what: placeholders of the recordings, and the GUIDs of the world that they are played in. A placeholder that
 * has not been met yet takes the value that stands in its place in the first answer that has it.
 */
export class Placeholders {
  readonly #values = new Map<string, string>();

  bind(placeholder: string, value: string): void {
    this.#values.set(placeholder, value);
  }

  /** A recorded text as it is to be sent. Throws for a placeholder that nobody has bound. */
  fill(text: string): string {
    return text.replace(/<[a-z0-9._-]+>/g, (placeholder) => {
      const value = this.#values.get(placeholder);
      if (value === undefined) throw new Error(`${placeholder} stands for nothing yet: play what makes it first`);
      return value;
    });
  }

  fillAll(value: Json): Json {
    return JSON.parse(this.fill(JSON.stringify(value))) as Json;
  }

  /** An answer in the recordings' words. */
  hide(text: string): string {
    let hidden = time.test(text) ? '<time>' : text;
    for (const [placeholder, value] of this.#values) hidden = hidden.replaceAll(value, placeholder);
    return hidden;
  }

  /** Learns from an answer what placeholders stand for that were not met before: where the rest of the text is the same. */
  learn(recorded: string, actual: string): void {
    const [, before = '', placeholder, after = ''] = /^(.*?)(<[a-z0-9._-]+>)(.*)$/s.exec(recorded) ?? [];
    if (!placeholder || placeholder === '<time>' || this.#values.has(placeholder)) return;
    const [start, end] = [this.hide(before), this.hide(after)];
    const shown = this.hide(actual);
    if (!shown.startsWith(start) || !shown.endsWith(end) || shown.length <= start.length + end.length) return;
    const value = shown.slice(start.length, shown.length - end.length);
    if (!/[<>/]/.test(value)) this.bind(placeholder, value);
  }
}
