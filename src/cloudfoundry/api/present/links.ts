/** A link as the CF API shows it. `path` begins with a slash. */
export interface Link {
  readonly href: string;
  readonly method?: string;
}

export function link(base: string, path: string, method?: string): Link {
  const href = `${base}${path}`;
  return method ? { href, method } : { href };
}

/** `{ data: { guid } }`, or `{ data: null }` where there is none. */
export function relation(guid: string | undefined): object {
  return { data: guid === undefined ? null : { guid } };
}
