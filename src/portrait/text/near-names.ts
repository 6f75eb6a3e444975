/** The names that somebody may have meant, the nearest first; at most three. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: distanceOf(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= limit || (wanted.length > 2 && name.startsWith(wanted)))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** ` Did you mean "a" or "b"?`, or nothing. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const near = nearNames(wanted, names).map((name) => JSON.stringify(name));
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
}

/** Names of Kubernetes and parameters are short; what is longer is nobody's typing mistake. */
const longest = 253;

/** How many letters must be added, left out, exchanged or swapped with their neighbour. */
function distanceOf(a: string, b: string): number {
  if (a.length > longest || b.length > longest) return a === b ? 0 : longest;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min((above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + same);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      line.push(least);
    }
    [before, above] = [above, line];
  }
  return above[b.length] ?? 0;
}
