import { FunctionFailure } from '../../function.ts';

/**
 * A Go string is bytes; ours are UTF-16. Functions that cut at bytes (`trunc`, `substr`) or make any bytes (`b64dec`)
 * can leave what is no UTF-8. Such a byte is kept as the lone surrogate U+DC00 + byte, so nothing is lost between two
 * functions: `b64dec | b64enc` gives back what it got.
 */
const ESCAPE = 0xdc00;

/** Only ASCII: there a character is a byte. */
const ASCII = /^[\0-\x7f]*$/;

export function bytesOf(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const bytes = Buffer.allocUnsafe(3 * text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) as number;
    if (code > 0xffff) at += 1;
    if (isEscape(code)) bytes[length++] = code - ESCAPE;
    else if (code < 0x80) bytes[length++] = code;
    else length += bytes.write(String.fromCodePoint(code), length);
  }
  return bytes.subarray(0, length);
}

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return salvaged(bytes);
  }
}

/** The text with a character for every byte: what cuts and counts bytes works on this as on any string. */
export function binaryOf(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(bytesOf(text)).toString('latin1');
}

export function fromBinary(binary: string): string {
  return ASCII.test(binary) ? binary : textOf(Buffer.from(binary, 'latin1'));
}

export function byteLength(text: string): number {
  return ASCII.test(text) ? text.length : bytesOf(text).length;
}

/** `text[start:end]`, with the panic of Go where it is out of range. `binary` has a character for every byte. */
export function cut(binary: string, start: number | undefined, end: number | undefined): string {
  const length = binary.length;
  if (end !== undefined && end < 0) throw outOfRange(`[:${end}]`);
  if (end !== undefined && end > length) throw outOfRange(`[:${end}] with length ${length}`);
  if (start !== undefined && start < 0) throw outOfRange(`[${start}:]`);
  if (start !== undefined && start > (end ?? length)) throw outOfRange(`[${start}:${end ?? length}]`);
  return binary.slice(start ?? 0, end ?? length);
}

/** A character that stands for a byte which is no UTF-8. */
export function isEscape(code: number): boolean {
  return code >= ESCAPE + 0x80 && code <= ESCAPE + 0xff;
}

function outOfRange(range: string): FunctionFailure {
  return new FunctionFailure(`runtime error: slice bounds out of range ${range}`);
}

function salvaged(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const width = widthAt(bytes, at);
    const code = width === 0 ? ESCAPE + (bytes[at] as number) : codeAt(bytes, at, width);
    if (code > 0xffff) units[length++] = 0xd7c0 + (code >> 10);
    units[length++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code;
    at += width || 1;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

function codeAt(bytes: Uint8Array, at: number, width: number): number {
  let code = (bytes[at] as number) & (width === 1 ? 0x7f : 0x7f >> width);
  for (let i = 1; i < width; i += 1) code = (code << 6) | ((bytes[at + i] as number) & 0x3f);
  return code;
}

/** How many bytes the character takes that begins here; 0 if none begins here. */
function widthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + width > bytes.length) return 0;
  const second = bytes[at + 1] as number;
  if (second < 0x80 || second > 0xbf) return 0;
  // Overlong forms, surrogates, and what lies above U+10FFFF show in the second byte.
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  for (let i = 2; i < width; i += 1) {
    const next = bytes[at + i] as number;
    if (next < 0x80 || next > 0xbf) return 0;
  }
  return width;
}
