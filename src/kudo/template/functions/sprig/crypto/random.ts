import { createHash } from 'node:crypto';
import type { Room } from '../../../function.ts';

/** Numbers that nobody can guess and that are the same at every rendering: all from 32 bytes of the room. */
export class Random {
  readonly #seed: Uint8Array;
  #block: Uint8Array = new Uint8Array();
  #blocks = 0;
  #used = 0;

  constructor(room: Room) {
    this.#seed = room.random(32);
  }

  /** From 0 to below the limit, each as likely as any other. */
  below(limit: number): number {
    const fair = Math.floor(0x1_0000_0000 / limit) * limit;
    for (;;) {
      const value = this.#word();
      if (value < fair) return value % limit;
    }
  }

  #word(): number {
    if (this.#used + 4 > this.#block.length) {
      this.#block = createHash('sha256').update(this.#seed).update(String(this.#blocks)).digest();
      this.#blocks += 1;
      this.#used = 0;
    }
    const word = new DataView(this.#block.buffer, this.#block.byteOffset).getUint32(this.#used);
    this.#used += 4;
    return word;
  }
}
