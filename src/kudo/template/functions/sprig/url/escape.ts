import { binaryOf, fromBinary } from '../go-bytes.ts';

/** What is wrong with a URL, in the words of Go. */
export class UrlProblem extends Error {
  override readonly name = 'UrlProblem';
}

/** Where in a URL a text stands decides which characters may stand there as they are. */
export type UrlPlace = 'path' | 'host' | 'user' | 'fragment';

/** Beside letters, digits and `-_.~`. */
const PLAIN: Readonly<Record<UrlPlace, string>> = {
  path: '$&+,/:;=@',
  host: '!$&\'()*+,;=:[]<>"',
  user: '$&+,;=',
  fragment: '!$&()*+,/:;=?@',
};

export function percentEncoded(text: string, place: UrlPlace): string {
  return [...binaryOf(text)].map((byte) => (isPlain(byte, place) ? byte : percent(byte))).join('');
}

/** Throws `UrlProblem`. In a host only bytes that are no ASCII may be written with a percent sign. */
export function percentDecoded(text: string, place: UrlPlace): string {
  const binary = binaryOf(text);
  let out = '';
  for (let at = 0; at < binary.length; at += 1) {
    const byte = binary[at] as string;
    if (byte !== '%') {
      if (place === 'host' && byte < '\x80' && !isPlain(byte, place)) throw invalidHost(byte);
      out += byte;
      continue;
    }
    const sequence = binary.slice(at, at + 3);
    const isInvalid = !/^%[0-9a-fA-F]{2}$/.test(sequence);
    if (isInvalid || (place === 'host' && /^%[0-7]/.test(sequence) && sequence !== '%25')) {
      throw new UrlProblem(`invalid URL escape "${fromBinary(sequence)}"`);
    }
    out += String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
    at += 2;
  }
  return fromBinary(out);
}

/** Whether it may stand there as it is. */
function isPlain(byte: string, place: UrlPlace): boolean {
  return /^[A-Za-z0-9\-_.~]$/.test(byte) || PLAIN[place].includes(byte);
}

function percent(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function invalidHost(byte: string): UrlProblem {
  return new UrlProblem(`invalid character ${JSON.stringify(byte)} in host name`);
}
