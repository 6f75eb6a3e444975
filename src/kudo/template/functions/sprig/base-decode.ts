/** What was decoded, or where the text stops being what it should be, counted in bytes as Go counts. */
export type Decoded = { readonly bytes: Uint8Array } | { readonly corruptAt: number };

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const NEWLINES = /[\r\n]/;
/** With the right length there is nothing left to check. */
const CLEAN = /^[A-Za-z0-9+/]*={0,2}$/;

/** Standard base64 with its padding; line breaks do not count. `binary` has a character for every byte. */
export function decodeBase64(binary: string): Decoded {
  if (binary.length % 4 === 0 && CLEAN.test(binary)) return { bytes: Buffer.from(binary, 'base64') };
  const digits: string[] = [];
  /** Where the digits are that wait for the rest of their four. */
  let end: number | undefined;
  for (let at = 0; at < binary.length; at += 1) {
    const character = binary[at] as string;
    if (NEWLINES.test(character)) continue;
    if (end !== undefined) return { corruptAt: at };
    if (/[A-Za-z0-9+/]/.test(character)) {
      digits.push(character);
      continue;
    }
    const open = digits.length % 4;
    if (character !== '=' || open < 2) return { corruptAt: at };
    if (open === 2) {
      at += 1;
      while (at < binary.length && NEWLINES.test(binary[at] as string)) at += 1;
      if (at >= binary.length) return { corruptAt: binary.length };
      if (binary[at] !== '=') return { corruptAt: at - 1 };
    }
    end = at;
  }
  if (end === undefined && digits.length % 4 !== 0) return { corruptAt: binary.length - (digits.length % 4) };
  return { bytes: Buffer.from(digits.join(''), 'base64') };
}

/** Standard base32 with its padding; line breaks are left out before anything is counted. */
export function decodeBase32(text: string): Decoded {
  const binary = text.replace(/[\r\n]/g, '');
  const bytes: number[] = [];
  for (let begin = 0; begin < binary.length; begin += 8) {
    const values: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      const at = begin + i;
      const character = binary[at];
      if (character === undefined) return { corruptAt: begin };
      if (character === '=' && i >= 2 && binary.length - at - 1 < 8) {
        const problem = paddingProblem(binary, at, i);
        if (problem !== undefined) return { corruptAt: problem };
        bytes.push(...packed(values));
        return { bytes: Uint8Array.from(bytes) };
      }
      const value = BASE32.indexOf(character);
      if (value < 0) return { corruptAt: at };
      values.push(value);
    }
    bytes.push(...packed(values));
  }
  return { bytes: Uint8Array.from(bytes) };
}

export function encodeBase32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  const digits = (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]);
  return digits.join('').padEnd(Math.ceil(digits.length / 8) * 8, '=');
}

/** `digits` of the eight are there; the others must be padding, and there are only so many that make whole bytes. */
function paddingProblem(binary: string, at: number, digits: number): number | undefined {
  const rest = binary.slice(at + 1);
  if (rest.length + digits < 7) return binary.length;
  const wrong = [...rest.slice(0, 7 - digits)].findIndex((character) => character !== '=');
  if (wrong >= 0) return at + wrong;
  return [1, 3, 6].includes(digits) ? at : undefined;
}

function packed(values: readonly number[]): readonly number[] {
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
}
