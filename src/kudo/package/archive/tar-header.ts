/** The 512 bytes before each entry of a tar archive, as far as they matter here. */
export interface TarHeader {
  readonly path: string;
  readonly size: number;
  /** `0` file, `5` folder, `1` and `2` links, `x` pax, `L` GNU's long name … */
  readonly type: string;
}

/** `undefined`: this is no header, its checksum is wrong. */
export function readHeader(block: Buffer): TarHeader | undefined {
  const size = number(block, 124, 12);
  if (number(block, 148, 8) !== checksum(block) || size === undefined) return undefined;
  const type = String.fromCharCode(block[156] || 0x30);
  const ustar = block.toString('latin1', 257, 262) === 'ustar' && block[263] === 0x30;
  const prefix = ustar ? text(block.subarray(345, 500)) : '';
  const name = text(block.subarray(0, 100));
  return { path: prefix === '' ? name : `${prefix}/${name}`, size, type };
}

/** A header of a plain file, with nothing in it that depends on who packs it, where and when. */
export function fileHeader(path: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  const bytes = Buffer.from(path);
  const [prefix, name] = split(bytes);
  name.copy(block, 0);
  prefix.copy(block, 345);
  block.write('0000644\0', 100, 'latin1');
  block.write('0000000\0', 108, 'latin1');
  block.write('0000000\0', 116, 'latin1');
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  block.write('00000000000\0', 136, 'latin1');
  block.write('0', 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** A path of more than 100 bytes continues in a second field, cut at a slash. */
function split(path: Buffer): readonly [Buffer, Buffer] {
  if (path.length <= 100) return [Buffer.alloc(0), path];
  for (let at = path.indexOf(0x2f); at >= 0 && at <= 155; at = path.indexOf(0x2f, at + 1)) {
    if (path.length - at - 1 <= 100) return [path.subarray(0, at), path.subarray(at + 1)];
  }
  throw new RangeError(`too long a path for an archive: ${path}`);
}

export function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

/** Octal digits, or, as GNU writes what is too large for them, a big-endian number behind a set first bit. */
function number(block: Buffer, at: number, length: number): number | undefined {
  if ((block[at] ?? 0) & 0x80) {
    const value = block.subarray(at + 1, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const digits = text(block.subarray(at, at + length)).trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : undefined;
}

/** The sum of all bytes, its own field counting as spaces. */
function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < 512; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}
