import 'reflect-metadata';
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import type { TemplateData } from '../../data.ts';
import { parseTemplate, renderTemplate } from '../../template.ts';
import { EC_KEY_BYTES, ecPrivateKey } from './crypto/ec-key.ts';
import { sprigFunctions } from './sprig-functions.ts';

const render = (text: string, data: TemplateData = {}) =>
  renderTemplate(parseTemplate({ name: 't', text }, sprigFunctions), data, { key: new Uint8Array(32) });

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('derivePassword', () => {
  it.each([
    ['1 "long" "password" "user" "example.com"', 'ZedaFaxcZaso9*'],
    ['2 "maximum" "password" "user" "example.com"', 'O8-6Bwz1*I5XVPPq)@H!'],
    ['1 "pin" "pässword" "üser" "example.com"', '9366'],
    ['1 "basic" "p" "u" "s"', 'tGf1NEr0'],
    ['1 "medium" "p" "u" "s"', 'Rud1@Nel'],
    ['1 "short" "p" "u" "s"', 'Rud1'],
    ['1 "nope" "p" "u" "s"', 'cannot find password template nope'],
  ])('derives from %s what Go derives', (login, password) => {
    expect(render(`{{ derivePassword ${login} }}`)).toBe(password);
  });
});

describe('encryptAES and decryptAES', () => {
  it('read what Go encrypted', () => {
    expect(render('{{ decryptAES "secret" "j5zAiTpNYaZog2b8DhPPWWbU6Lv9zZXyr2Zb5139BsU=" }}')).toBe('hello wörld');
    expect(render('[{{ decryptAES "x" "AAAAAAAAAAAAAAAAAAAAADMVwSgb6xmtyhOrn8uJj+E=" }}]')).toBe('[]');
    const long = 'a password that is longer than thirty-two bytes';
    const text = '0hZ0HmG4Bg1lkcVdrf/harROTPa/YTDV3dTJLlkTN0elwPa0Wb7+vsMqzkftkxoC';
    expect(render('{{ decryptAES .password .text }}', { password: long, text })).toBe('exactly 16 bytes');
    expect(render('{{ decryptAES .password .text }}', { password: long.slice(0, 32), text })).toBe('exactly 16 bytes');
  });

  it('encrypt the same at every rendering, with a vector of its own at each place', () => {
    const text = '{{ encryptAES "secret" "hello" }} {{ encryptAES "secret" "hello" }}';
    const [first, second] = render(text).split(' ');
    expect(render(text)).toBe(`${first} ${second}`);
    expect(first).not.toBe(second);
    expect(render('{{ decryptAES "secret" .text }}', { text: first as string })).toBe('hello');
    expect(render('[{{ encryptAES "x" "" }}{{ decryptAES "x" "" }}]')).toBe('[]');
  });

  it.each([
    ['!!', 'illegal base64 data at input byte 0'],
    ['AAAA', 'runtime error: slice bounds out of range [:16] with capacity 3'],
    ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==', 'crypto/cipher: input not full blocks'],
    ['AAAAAAAAAAAAAAAAAAAAAA==', 'runtime error: index out of range [-1]'],
    ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'runtime error: slice bounds out of range [:-227]'],
  ])('refuse %s with the words of Go', (text, problem) => {
    expect(() => render('{{ decryptAES "x" .text }}', { text })).toThrow(`error calling decryptAES: ${problem}`);
  });
});

describe('genPrivateKey', () => {
  it('makes a key on P-256, the same at every rendering', () => {
    const pem = render('{{ genPrivateKey "ecdsa" }}');
    expect(render('{{ genPrivateKey "ecdsa" }}')).toBe(pem);
    expect(pem).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n(?:[^\n]{64}\n)+[^\n]+\n-----END EC PRIVATE KEY-----\n$/);
    const key = createPrivateKey(pem);
    expect(key.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(key.export({ type: 'sec1', format: 'pem' })).toBe(pem);
  });

  it('makes a key of a small number, too', () => {
    const key = createPrivateKey(ecPrivateKey(new Uint8Array(EC_KEY_BYTES)));
    const { d, x } = key.export({ format: 'jwk' });
    expect(Buffer.from(d as string, 'base64url').toString('hex')).toBe('1'.padStart(64, '0'));
    // The public key of 1 is the generator of the curve.
    expect(Buffer.from(x as string, 'base64url').toString('hex')).toMatch(/^6b17d1f2e12c4247f8bce6e563a440f2/);
  });

  it('says why it makes no others, and what to do', () => {
    for (const type of ['', 'rsa', 'dsa']) {
      expect(() => render('{{ genPrivateKey .type }}', { type })).toThrow(
        `error calling genPrivateKey: a key of type ${type || 'rsa'} would have to be found anew`,
      );
    }
    expect(() => render('{{ genPrivateKey "" }}')).toThrow('Use genPrivateKey "ecdsa", or keep the key in a Secret');
    expect(render('{{ genPrivateKey "foo" }}')).toBe('Unknown type foo');
  });
});

describe('certificates', () => {
  it('that need a clock are refused, with the way out', () => {
    const refusal =
      'needs a clock, and templates have none: a certificate that is new at every rendering would restart';
    expect(() => render('{{ genCA "ca" 365 }}')).toThrow(`error calling genCA: genCA ${refusal}`);
    expect(() => render('{{ genSelfSignedCert "a" (list) (list) 1 }}')).toThrow(`genSelfSignedCert ${refusal}`);
    expect(() => render('{{ genCA "ca" 365 }}')).toThrow(
      'Let cert-manager issue it, or give certificate and key in a Secret',
    );
  });

  it('that are given are checked and handed on', async () => {
    const algorithm = {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      publicExponent: new Uint8Array([1, 0, 1]),
      modulusLength: 2048,
    };
    const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
    const made = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=test',
      keys,
      signingAlgorithm: algorithm,
    });
    const cert = `${made.toString('pem')}\n`;
    const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs1', format: 'pem' }) as string;
    const data = { cert: base64(cert), key: base64(key) };
    expect(render('{{ $c := buildCustomCert .cert .key }}{{ $c.Cert }}{{ $c.Key }}{{ typeOf $c }}', data)).toBe(
      `${cert}${key}sprig.certificate`,
    );
    expect(render('{{ buildCustomCert .cert .key }}', data)).toBe(`{${cert} ${key}}`);
    expect(render('{{ buildCustomCert .cert .key | toJson }}', data)).toBe(JSON.stringify({ Cert: cert, Key: key }));
    expect(render('{{ (buildCustomCert .cert .key) | toYaml }}', data)).toMatch(
      /^cert: \|\n {2}-----BEGIN.*\nkey: \|\n/s,
    );
    expect(() => render('{{ genSignedCert "a" (list) (list) 1 (buildCustomCert .cert .key) }}', data)).toThrow(
      'genSignedCert needs a clock',
    );
    expect(() => render('{{ buildCustomCert .cert .cert }}', data)).toThrow(
      'error calling buildCustomCert: error parsing prive key: decodedKey.Bytes:',
    );
    expect(() => render('{{ buildCustomCert .cert "" }}', data)).toThrow('unable to decode key');
  });

  it.each([
    ['{{ buildCustomCert "!" "" }}', 'unable to decode base64 certificate'],
    ['{{ buildCustomCert "" "!" }}', 'unable to decode base64 private key'],
    ['{{ buildCustomCert "" "" }}', 'unable to decode certificate'],
    [
      '{{ buildCustomCert (b64enc "-----BEGIN X-----\\nAAAA\\n-----END X-----\\n") "" }}',
      'error parsing certificate: decodedCert.Bytes: ',
    ],
  ])('that are none are refused: %s', (template, problem) => {
    expect(() => render(template)).toThrow(`error calling buildCustomCert: ${problem}`);
  });
});

describe('getHostByName', () => {
  it('does not ask the network', () => {
    expect(() => render('{{ getHostByName "localhost" }}')).toThrow('getHostByName asks the network');
    expect(() => render('{{ getHostByName "localhost" }}')).toThrow('Use the name itself, or a parameter');
  });
});
