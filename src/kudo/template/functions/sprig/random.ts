import type { GoFunction, Room } from '../../function.ts';
import { Random } from './crypto/random.ts';
import { define, slow } from './define.ts';

const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));

/** Units of work for a number by chance. */
const DRAWING = 50;

/** What is random in sprig. Here it is drawn once for an Instance and a place in a template, and stays. */
export const RANDOM: Readonly<Record<string, GoFunction>> = {
  randAlpha: define(['int'], ([count], room) => drawn(LETTERS, count, room)),
  randAlphaNum: define(['int'], ([count], room) => withDigit(drawn(LETTERS + DIGITS, count, room), room)),
  randAscii: define(['int'], ([count], room) => drawn(ASCII, count, room)),
  randNumeric: define(['int'], ([count], room) => drawn(DIGITS, count, room)),
  shuffle: slow(
    DRAWING,
    define(['string'], ([text], room) => shuffled([...text], new Random(room)).join('')),
  ),
  uuidv4: define([], (_, room) => uuid(room.random(16))),
};

function drawn(characters: string, count: number, room: Room): string {
  if (count <= 0) return '';
  room.charge(count);
  room.work(count * DRAWING);
  const random = new Random(room);
  return Array.from({ length: count }, () => characters[random.below(characters.length)]).join('');
}

/** Packages rely on a password of `randAlphaNum` having a digit: sprig puts one in if there is none. */
function withDigit(text: string, room: Room): string {
  if (text === '' || /[0-9]/.test(text)) return text;
  const random = new Random(room);
  const at = random.below(text.length);
  return text.slice(0, at) + DIGITS[random.below(10)] + text.slice(at + 1);
}

function shuffled(characters: readonly string[], random: Random): readonly string[] {
  const out = [...characters];
  for (let last = out.length - 1; last > 0; last -= 1) {
    const chosen = random.below(last + 1);
    [out[last], out[chosen]] = [out[chosen] as string, out[last] as string];
  }
  return out;
}

function uuid(bytes: Uint8Array): string {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = '89ab'[(bytes[8] as number) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
