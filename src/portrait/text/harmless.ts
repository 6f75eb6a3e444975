/** What a terminal might obey, and what makes text look other than it is. */
const dangerous = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * The text on one line, with everything that a terminal might obey shown as an escape. Names, messages and values come from
 * whoever may write to the cluster or made the package; what is printed of them must never move the cursor.
 */
export function harmless(text: string): string {
  return isTame(text) ? text : text.replace(dangerous, escaped);
}

/** As `harmless`, but lines and tabs stay what they are. */
export function harmlessText(text: string): string {
  return text.replace(dangerous, (character) => (isLayout(character) ? character : escaped(character)));
}

/** Whether `harmlessText` would change it. */
export function isHarmlessText(text: string): boolean {
  return (text.match(dangerous) ?? []).every(isLayout);
}

/** Whether a look at the numbers of its letters is enough: a list of a thousand lines has many texts. */
function isTame(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const safe = (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code < 0x600) || (code >= 0x2070 && code < 0xd800);
    if (!safe) return false;
  }
  return true;
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
