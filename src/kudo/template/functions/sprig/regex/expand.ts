/** A group in a replacement: `$1`, `$name`, `${name}`; the longest name counts, so `$1x` is the group called `1x`. */
const GROUP = /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;

/** What a replacement becomes with the groups of a match. `$$` is a dollar; one that names no group is one, too. */
export function expand(template: string, group: (name: string) => string): string {
  return template.replace(GROUP, (whole, bare?: string, braced?: string) => {
    const name = bare ?? braced;
    return name === undefined ? whole.slice(1) : group(name);
  });
}
