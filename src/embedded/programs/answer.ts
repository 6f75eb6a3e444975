import type { Response } from '../../kube/transport.ts';

/** An HTTP answer with a text. */
export function answer(
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const bytes = new TextEncoder().encode(text);
  return {
    status,
    headers: { 'content-type': type, 'content-length': String(bytes.length), ...headers },
    body: (async function* () {
      yield bytes;
    })(),
  };
}
