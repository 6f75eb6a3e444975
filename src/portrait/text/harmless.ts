/** What a terminal might obey, and what makes text look other than it is. */
const dangerous = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * The text on one line, with everything that a terminal might obey shown as an escape. Names, messages and values come from
 * whoever may write to the cluster or made the package; what is printed of them must never move the cursor.
 */
export function harmless(text: string): string {
  return text.replace(dangerous, escaped);
}

/** As `harmless`, but lines and tabs stay what they are. */
export function harmlessText(text: string): string {
  return text.replace(dangerous, (character) => (isLayout(character) ? character : escaped(character)));
}

/** Whether `harmlessText` would change it. */
export function isHarmlessText(text: string): boolean {
  return (text.match(dangerous) ?? []).every(isLayout);
}

function isLayout(character: string): boolean {
  return character === '\n' || character === '\t';
}

/** As in JSON, so that inside of quotes it means the same. */
function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
