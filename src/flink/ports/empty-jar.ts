import { crc32 } from 'node:zlib';
import type { Artifact } from './fetch-artifact.ts';

const manifest = { name: Buffer.from('META-INF/MANIFEST.MF'), content: Buffer.from('Manifest-Version: 1.0\r\n\r\n') };

/** A jar with nothing in it: for jobs whose program is in the image. Flink runs no job without one. */
export function emptyJar(): Artifact {
  const { name, content } = manifest;
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0); // version 2.0 is needed to read it; flags, method (stored), time come next
  common.writeUInt16LE(0x21, 8); // 1 January 1980
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(content.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, content]);
  const made = Buffer.from([20, 0]);
  const rest = Buffer.alloc(14); // no comment, first disk, no attributes, at the very beginning
  const entry = Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, common, rest, name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(file.length, 12);
  const bytes = Buffer.concat([file, entry, Buffer.from('PK\x05\x06', 'latin1'), end]);
  return {
    name: 'empty.jar',
    size: bytes.length,
    async *open() {
      yield bytes;
    },
    discard: async () => {},
  };
}
