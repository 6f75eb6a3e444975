import { createECDH } from 'node:crypto';

/** The order of the curve P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** So many bytes that the remainder by the order shows no preference. */
export const EC_KEY_BYTES = 48;

/** DER around the numbers of a key on P-256 (RFC 5915): their lengths never change. */
const BEFORE_PRIVATE = '30770201010420';
const BEFORE_PUBLIC = 'a00a06082a8648ce3d030107a144034200';

/** A private key on P-256 from random bytes, as PEM: the same bytes, the same key. */
export function ecPrivateKey(random: Uint8Array): string {
  const number = (BigInt(`0x${Buffer.from(random).toString('hex')}`) % (ORDER - 1n)) + 1n;
  const secret = number.toString(16).padStart(64, '0');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(secret, 'hex');
  const der = Buffer.from(BEFORE_PRIVATE + secret + BEFORE_PUBLIC + curve.getPublicKey('hex'), 'hex');
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN EC PRIVATE KEY-----\n${lines.join('\n')}\n-----END EC PRIVATE KEY-----\n`;
}
