import { badRequest } from '../status-error.ts';

/** How a field is laid out on the wire. */
export const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Reads protobuf's wire format. Whatever is cut off or impossible is a 400. */
export class Reader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** The next field's number and wire type. */
  tag(): { readonly field: number; readonly type: number } {
    const tag = Number(this.varint());
    const field = Math.floor(tag / 8);
    if (field === 0 || field > 0x1fffffff) throw malformed('illegal tag');
    return { field, type: tag % 8 };
  }

  /** A variable-length integer as an unsigned 64-bit number. */
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw malformed('integer overflow');
  }

  /** A signed integer; negative ones are sent as their 64-bit two's complement. */
  integer(): number {
    return Number(BigInt.asIntN(64, this.varint()));
  }

  double(): number {
    const at = this.#take(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 8).getFloat64(0, true);
  }

  bytes(): Uint8Array {
    const length = this.#length();
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  string(): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes());
    } catch (error) {
      if (error instanceof TypeError) throw malformed('invalid UTF-8');
      throw error;
    }
  }

  /** A reader for the embedded message that comes next. */
  message(): Reader {
    const length = this.#length();
    const at = this.#take(length);
    return new Reader(this.#bytes, at, at + length);
  }

  /** Passes over a field that nobody knows. */
  skip(type: number): void {
    if (type === wire.varint) this.varint();
    else if (type === wire.fixed64) this.#take(8);
    else if (type === wire.bytes) this.#take(this.#length());
    else if (type === wire.fixed32) this.#take(4);
    else throw malformed(`wrong wireType = ${type}`);
  }

  #byte(): number {
    if (this.done) throw malformed('unexpected EOF');
    return this.#bytes[this.#at++] as number;
  }

  #length(): number {
    const length = this.varint();
    if (length > BigInt(this.#end)) throw malformed('unexpected EOF');
    return Number(length);
  }

  #take(length: number): number {
    if (this.#at + length > this.#end) throw malformed('unexpected EOF');
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

export function malformed(why: string) {
  return badRequest(`proto: ${why}`);
}
