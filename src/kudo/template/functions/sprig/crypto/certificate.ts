import { createPrivateKey, X509Certificate } from 'node:crypto';
import { FunctionFailure, type Room } from '../../../function.ts';
import { GoObject } from '../../../value.ts';
import { decodeBase64 } from '../base-decode.ts';
import { binaryOf, textOf } from '../go-bytes.ts';

/** A line with a colon is a header, and nothing else is: so there is one way to read each line. */
const BLOCK = /-----BEGIN ([^-\n]*)-----\r?\n(?:[^\n:]*:[^\n]*\n)*([A-Za-z0-9+/=\s]*)-----END \1-----/;

/** A certificate and its key, both given as base64 of PEM, checked and made one value. */
export function customCertificate(certificate: string, key: string, room: Pick<Room, 'work'>): GoObject {
  const cert = decoded(certificate, 'certificate');
  const privateKey = decoded(key, 'private key');
  parsed(block(cert, 'certificate', room), 'certificate: decodedCert', (bytes) => new X509Certificate(bytes));
  parsed(block(privateKey, 'key', room), 'prive key: decodedKey', (bytes) =>
    createPrivateKey({ key: bytes, format: 'der', type: 'pkcs1' }),
  );
  return new GoObject({
    type: 'sprig.certificate',
    text: `{${cert} ${privateKey}}`,
    fields: new Map([
      ['Cert', cert],
      ['Key', privateKey],
    ]),
  });
}

function decoded(base64: string, what: string): string {
  const result = decodeBase64(binaryOf(base64));
  if ('corruptAt' in result) throw new FunctionFailure(`unable to decode base64 ${what}`);
  return textOf(result.bytes);
}

/** Each beginning may be read to the end of the text. */
function block(pem: string, what: string, room: Pick<Room, 'work'>): Buffer {
  room.work(pem.split('-----BEGIN ').length * pem.length);
  const [, , body] = BLOCK.exec(pem) ?? [];
  if (body === undefined) throw new FunctionFailure(`unable to decode ${what}`);
  return Buffer.from(body, 'base64');
}

function parsed(bytes: Buffer, what: string, parse: (bytes: Buffer) => unknown): void {
  try {
    parse(bytes);
  } catch (error) {
    throw new FunctionFailure(`error parsing ${what}.Bytes: ${error instanceof Error ? error.message : error}`);
  }
}
