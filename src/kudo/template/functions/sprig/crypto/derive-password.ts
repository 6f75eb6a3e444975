import { createHmac, scryptSync } from 'node:crypto';
import { bytesOf } from '../go-bytes.ts';

const SCOPE = 'com.lyndir.masterpassword';

/** Which kinds of characters a password is made of, one word per form of it. Published as Master Password, by its author. */
const FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    maximum: 'anoxxxxxxxxxxxxxxxxx axxxxxxxxxxxxxxxxxno',
    long:
      'CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv ' +
      'CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv ' +
      'CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno',
    medium: 'CvcnoCvc CvcCvcno',
    short: 'Cvcn',
    basic: 'aaanaaan aannaaan aaannaaa',
    pin: 'nnnn',
  }).map(([name, forms]) => [name, forms.split(' ')]),
);

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['C', 'BCDFGHJKLMNPQRSTVWXYZ'],
  ['v', 'aeiou'],
  ['c', 'bcdfghjklmnpqrstvwxyz'],
  ['a', 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz'],
  ['n', '0123456789'],
  ['o', "@&%?,=[]_:-+*$#!'^~;()/."],
  ['x', 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()'],
]);

interface Login {
  readonly counter: number;
  /** The name of a form: `long`, `pin`. */
  readonly form: string;
  readonly password: string;
  readonly user: string;
  readonly site: string;
}

/** The password of a site, from the one password of a user: always the same for the same login. */
export function derivePassword({ counter, form, password, user, site }: Login): string {
  const forms = FORMS.get(form);
  if (!forms) return `cannot find password template ${form}`;
  const salt = Buffer.concat([Buffer.from(SCOPE), sized(user)]);
  const key = scryptSync(bytesOf(password), salt, 64, { N: 32_768, r: 8, p: 2, maxmem: 64 << 20 });
  const seed = createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(SCOPE), sized(site), uint32(counter)]))
    .digest();
  const chosen = forms[(seed[0] as number) % forms.length] as string;
  return [...chosen]
    .map((kind, index) => {
      const characters = CHARACTERS.get(kind) as string;
      return characters[(seed[index + 1] as number) % characters.length];
    })
    .join('');
}

function sized(text: string): Buffer {
  const bytes = bytesOf(text);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
