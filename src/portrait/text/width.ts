/** Marks that sit on the letter before them, and what takes no room at all. */
const zero = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** East Asian letters and pictures: terminals give them two columns. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const plain = /^[\u0020-\u007e]*$/;

/** How many columns of a terminal a harmless text takes. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width;
}

/** The text within so many columns; what is left out is shown as `…`. */
export function cutTo(text: string, columns: number): string {
  if (columns < 1) return '';
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const letter of text) {
    width += letterWidth(letter);
    if (width > columns - 1) break;
    kept += letter;
  }
  return `${kept}…`;
}

export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** The text in lines of at most so many columns, broken between words where that is possible. */
export function wrapTo(text: string, columns: number): readonly string[] {
  if (columns < 1 || widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = '';
  let width = 0;
  const end = (): void => {
    lines.push(line);
    line = '';
    width = 0;
  };
  for (const word of text.split(' ')) {
    const wordWidth = widthOf(word);
    if (width > 0 && width + 1 + wordWidth > columns) end();
    if (wordWidth <= columns) {
      line += width === 0 ? word : ` ${word}`;
      width += wordWidth + (width === 0 ? 0 : 1);
      continue;
    }
    // A word that is longer than a line: an address, or somebody who wants to be in the way.
    for (const letter of word) {
      const letterColumns = letterWidth(letter);
      if (width + letterColumns > columns) end();
      line += letter;
      width += letterColumns;
    }
  }
  if (width > 0) end();
  return lines;
}

function letterWidth(letter: string): number {
  const code = letter.charCodeAt(0);
  // Latin letters; arrows, lines, signs. Between and behind those are pictures.
  if ((code < 0x300 && code !== 0xad) || (code >= 0x2190 && code < 0x231a) || (code >= 0x2500 && code < 0x25fd))
    return 1;
  if (zero.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}
