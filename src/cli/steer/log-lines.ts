/** A line that does not end is told in pieces of this many characters. */
const longest = 64 << 10;

/** What a container printed, line by line; the last one need not have an end. */
export async function* logLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of body) {
    const parts = (pending + decoder.decode(chunk, { stream: true })).split('\n');
    pending = parts.pop() ?? '';
    yield* parts;
    while (pending.length > longest) {
      yield pending.slice(0, longest);
      pending = pending.slice(longest);
    }
  }
  pending += decoder.decode();
  if (pending !== '') yield pending;
}
