import type { CfContext } from './platform.ts';

/** All warnings of one answer stand in its head, and clients give up on a long one: some take 8 KiB for all of it. */
const longest = 2048;

/** Tells the person at the client something beside the answer. The client takes the header for a list of encoded texts. */
export function warn(c: CfContext, text: string): void {
  const encoded = encodedText(text);
  const before = c.res.headers.get('x-cf-warnings')?.length ?? 0;
  if (before + encoded.length > longest) return;
  c.header('x-cf-warnings', encoded, { append: true });
}

/** A text as a header can hold it, whatever it is made of, cut to a length that a person reads. */
export function encodedText(text: string, kept = /[\w:.'/ -]/): string {
  const characters = Array.from(text.slice(0, 300).toWellFormed());
  return characters.map((character) => (kept.test(character) ? character : encodeURIComponent(character))).join('');
}
