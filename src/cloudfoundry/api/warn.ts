import type { CfContext } from './platform.ts';

/** Tells the person at the client something beside the answer. The client takes the header for a list of encoded texts. */
export function warn(c: CfContext, text: string): void {
  const encoded = text.replace(/[^\w:.'/ -]/g, (character) => encodeURIComponent(character));
  c.header('x-cf-warnings', encoded, { append: true });
}
