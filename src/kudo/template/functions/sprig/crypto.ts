import { FunctionFailure, type GoFunction } from '../../function.ts';
import { decrypt, encrypt } from './crypto/aes.ts';
import { customCertificate } from './crypto/certificate.ts';
import { derivePassword } from './crypto/derive-password.ts';
import { EC_KEY_BYTES, ecPrivateKey } from './crypto/ec-key.ts';
import { define } from './define.ts';

/** Units of work: a fifth of a second, on a slow machine half a second. A template may have a few of them. */
const WORK_OF_PASSWORD = 20_000_000;
/** Of a key on an elliptic curve: about a millisecond. */
const WORK_OF_KEY = 100_000;

export const CRYPTO: Readonly<Record<string, GoFunction>> = {
  buildCustomCert: define(['string', 'string'], ([certificate, key], room) =>
    customCertificate(certificate, key, room),
  ),
  decryptAES: define(['string', 'string'], ([password, text]) => (text === '' ? '' : decrypt(password, text))),
  derivePassword: define(
    ['uint32', 'string', 'string', 'string', 'string'],
    ([counter, form, password, user, site], room) => {
      room.work(WORK_OF_PASSWORD);
      return derivePassword({ counter, form, password, user, site });
    },
  ),
  encryptAES: define(['string', 'string'], ([password, text], room) =>
    text === '' ? '' : encrypt(password, text, room.random(16)),
  ),
  genCA: define(['string', 'int'], () => {
    throw noCertificate('genCA');
  }),
  genPrivateKey: define(['string'], ([type], room) => {
    if (type === 'ecdsa') {
      room.work(WORK_OF_KEY);
      return ecPrivateKey(room.random(EC_KEY_BYTES));
    }
    if (!['', 'rsa', 'dsa'].includes(type)) return `Unknown type ${type}`;
    throw new FunctionFailure(
      `a key of type ${type === '' ? 'rsa' : type} would have to be found anew, the same one, at every rendering, ` +
        'which takes seconds. Use genPrivateKey "ecdsa", or keep the key in a Secret of its own',
    );
  }),
  genSelfSignedCert: define(['string', '[]interface {}', '[]interface {}', 'int'], () => {
    throw noCertificate('genSelfSignedCert');
  }),
  genSignedCert: define(['string', '[]interface {}', '[]interface {}', 'int', 'sprig.certificate'], () => {
    throw noCertificate('genSignedCert');
  }),
  getHostByName: define(['string'], () => {
    throw new FunctionFailure(
      'getHostByName asks the network, and what is rendered must not depend on it. Use the name itself, or a parameter',
    );
  }),
};

function noCertificate(name: string): FunctionFailure {
  return new FunctionFailure(
    `${name} needs a clock, and templates have none: a certificate that is new at every rendering would restart pods ` +
      'again and again. Let cert-manager issue it, or give certificate and key in a Secret or with buildCustomCert',
  );
}
