const illegible = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * The same text with escapes for characters that could move a terminal's cursor, colour it or forge a line. What users, images
 * and servers say is quoted in conditions and events, and read with `kubectl`. Line ends and tabs stay.
 */
export function legible(text: string): string {
  return text.replaceAll(illegible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
