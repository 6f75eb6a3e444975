/**
 * What a second text says beyond a first one that begins alike, from the next sentence on: who has just read what is wrong wants to read
 * what to do, not the same once more. All of it where little would be left.
 */
export function whatIsNew(first: string, second: string): string {
  let same = 0;
  while (same < first.length && same < second.length && first[same] === second[same]) same += 1;
  // The end of a sentence may be where the first text ends.
  const said = second.slice(0, same === first.length ? same + 2 : same);
  const end = Math.max(...['. ', '; ', '! ', '? '].map((mark) => said.lastIndexOf(mark)));
  const rest = end < 0 ? second : second.slice(end + 2);
  return rest.length < 10 ? second : rest;
}
