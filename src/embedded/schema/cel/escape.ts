const keywords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const substitutes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * The name under which a rule reaches a property: `self.x__dash__y` is the property `x-y`. `undefined` for a property
 * whose name no escape makes an identifier: rules cannot reach it.
 */
export function escapeName(property: string): string | undefined {
  if (keywords.has(property)) return `__${property}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  const escaped = property.replace(/__|[./-]/g, (part) => substitutes[part] ?? part);
  return /^[A-Za-z_]\w*$/.test(escaped) ? escaped : undefined;
}
