import { createHash } from 'node:crypto';
import type { GoFunction, Room } from '../../function.ts';
import { type Decoded, decodeBase32, decodeBase64, encodeBase32 } from './base-decode.ts';
import { define, slow } from './define.ts';
import { binaryOf, bytesOf, textOf } from './go-bytes.ts';
import { toYaml } from './go-yaml.ts';
import { toJson, toPrettyJson } from './json.ts';

export const ENCODING: Readonly<Record<string, GoFunction>> = {
  adler32sum: slow(
    5,
    define(['string'], ([text]) => String(adler32(bytesOf(text)))),
  ),
  b32dec: slow(
    60,
    define(['string'], ([text]) => decoded(decodeBase32(binaryOf(text)), 'base32')),
  ),
  b32enc: slow(
    60,
    define(['string'], ([text]) => encodeBase32(bytesOf(text))),
  ),
  b64dec: define(['string'], ([text]) => decoded(decodeBase64(binaryOf(text)), 'base64')),
  b64enc: define(['string'], ([text]) => Buffer.from(bytesOf(text)).toString('base64')),
  sha1sum: define(['string'], ([text]) => createHash('sha1').update(bytesOf(text)).digest('hex')),
  sha256sum: define(['string'], ([text]) => createHash('sha256').update(bytesOf(text)).digest('hex')),
  toJson: define(['interface {}'], ([value], room) => toJson(value, costing(5, room))),
  toPrettyJson: define(['interface {}'], ([value], room) => toPrettyJson(value, costing(5, room))),
  toYaml: define(['interface {}'], ([value], room) => toYaml(value, costing(20, room))),
};

/** What cannot be decoded gives the error as if it were the text: sprig does not fail here. */
function decoded(result: Decoded, name: string): string {
  return 'bytes' in result ? textOf(result.bytes) : `illegal ${name} data at input byte ${result.corruptAt}`;
}

function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}

/** Whatever is made takes so many more units of work. */
function costing(units: number, room: Room): Pick<Room, 'charge'> {
  return {
    charge(amount) {
      room.charge(amount);
      room.work(amount * units);
    },
  };
}
