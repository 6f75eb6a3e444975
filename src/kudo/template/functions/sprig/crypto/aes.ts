import { createCipheriv, createDecipheriv } from 'node:crypto';
import { FunctionFailure } from '../../../function.ts';
import { decodeBase64 } from '../base-decode.ts';
import { binaryOf, bytesOf, textOf } from '../go-bytes.ts';

const BLOCK = 16;

/** AES-256 in CBC mode; the result is base64 of the vector and what was encrypted. */
export function encrypt(password: string, plaintext: string, vector: Uint8Array): string {
  const cipher = createCipheriv('aes-256-cbc', keyOf(password), vector);
  return Buffer.concat([vector, cipher.update(bytesOf(plaintext)), cipher.final()]).toString('base64');
}

/** The padding is believed, not checked, as in sprig: with a wrong password the result is rubbish more often than an error. */
export function decrypt(password: string, text: string): string {
  const decoded = decodeBase64(binaryOf(text));
  if ('corruptAt' in decoded) {
    throw new FunctionFailure(`illegal base64 data at input byte ${decoded.corruptAt}`);
  }
  const { bytes } = decoded;
  if (bytes.length < BLOCK) throw panic(`slice bounds out of range [:${BLOCK}] with capacity ${bytes.length}`);
  if (bytes.length % BLOCK !== 0) throw new FunctionFailure('crypto/cipher: input not full blocks');
  if (bytes.length === BLOCK) throw panic('index out of range [-1]');
  const decipher = createDecipheriv('aes-256-cbc', keyOf(password), bytes.subarray(0, BLOCK)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(bytes.subarray(BLOCK)), decipher.final()]);
  const end = padded.length - (padded.at(-1) as number);
  if (end < 0) throw panic(`slice bounds out of range [:${end}]`);
  return textOf(padded.subarray(0, end));
}

/** The first 32 bytes of the password, or all of it and zeros. */
function keyOf(password: string): Uint8Array {
  const key = new Uint8Array(32);
  key.set(bytesOf(password).subarray(0, key.length));
  return key;
}

function panic(problem: string): FunctionFailure {
  return new FunctionFailure(`runtime error: ${problem}`);
}
