/**
 * Why a text is no URI, with the way out. Spaces are what people write; characters beyond ASCII are let through, as
 * Java's own reader does.
 */
export function uriFault(text: string): string | undefined {
  const bad = /[\p{Cc}\p{Z}"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/u.exec(text);
  if (!bad) return undefined;
  const [character] = bad;
  const hint = character === '%' ? 'write %25 for a percent sign' : `write ${encodeURIComponent(character)} for it`;
  return `illegal character ${JSON.stringify(character)} at index ${bad.index}; ${hint}`;
}

/** `https` of `https://host/path`, in lower case; nothing when there is none. */
export function schemeOf(uri: string): string | undefined {
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[1]?.toLowerCase();
}

/**
 * A URI as it may be shown: without credentials, and without query, where signatures are. Cut after 200 characters. Whoever
 * has a slash or a question mark in a password wrote no valid URI, and still nobody shall read it: where an `@` could be the
 * end of credentials, only the beginning is shown.
 */
export function shownUri(uri: string): string {
  const [, head = '', authority = '', rest = ''] =
    /^((?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]*)([^/\\?#]*)(.*)$/s.exec(uri) ?? [];
  const bare = `${head}${withoutCredentials(authority, rest, /[/\\]$/.test(head))}`.replace(/[?#].*$/s, '?…');
  return bare.length > 200 ? `${bare.slice(0, 200)}…` : bare;
}

function withoutCredentials(authority: string, rest: string, isPlace: boolean): string {
  const [user, host, ...more] = authority.split('@');
  if (host !== undefined) return more.length === 0 && !rest.includes('@') ? `…@${host}${rest}` : '…';
  return rest.includes('@') && (user?.includes(':') || !isPlace) ? '…' : `${authority}${rest}`;
}
