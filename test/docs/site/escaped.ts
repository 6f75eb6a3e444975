const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text that means itself in HTML, also within quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');
}
