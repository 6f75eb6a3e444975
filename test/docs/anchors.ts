/** Names headings as GitHub does: a text that comes again gets a number. One of these for each page. */
export function anchors(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const name = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  };
}
