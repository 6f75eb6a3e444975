import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CfError } from '../../src/cloudfoundry/api/cf-error.ts';
import { credentialsIn, mustFit } from '../../src/cloudfoundry/api/identity-of.ts';
import { registryUser } from '../../src/cloudfoundry/ports/docker-config.ts';
import { tokenEnd } from '../../src/server/login/who.ts';
import { answer, cases, ending } from './fuzz.ts';
import { hostileJson, hostileText, longText, mutated, twisted } from './hostile.ts';

/** A header of HTTP takes it as it is. */
const sendable = /^[\x20-\x7e]*$/;

describe('the Authorization of a stranger', () => {
  const words = ['-----BEGIN ', '-----END ', 'CERTIFICATE', 'PRIVATE KEY', '-----', '\n', 'MIIB', '=', ' '];
  const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  const key = '-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----\n';
  const inHeader = (text: string): string => `ClientCert ${Buffer.from(text).toString('base64')}`;
  const header = fc.oneof(
    mutated(['Bearer abc.def.ghi', inHeader(pem + key)], ['bearer ', 'ClientCert ', ' ', '=']),
    fc.oneof(hostileText(words), mutated([pem + key], words)).map(inHeader),
    hostileText(['Bearer ', 'ClientCert ', 'Basic ']),
  );

  it('is a token, a certificate with a key, or refused; and no certificate that is none goes on', () => {
    fc.assert(
      fc.property(header, (authorization) => {
        const read = answer(() => credentialsIn(authorization), CfError);
        if ('error' in read) {
          expect((read.error as CfError).status).toBe(401);
          return;
        }
        const { certificate, authorization: token } = read.value;
        expect([certificate, token].filter((one) => one !== undefined)).toHaveLength(1);
        if (certificate) expect(answer(() => mustFit(certificate), CfError)).toHaveProperty('error.status', 401);
        else expect(token).toMatch(/^Bearer \S+$/);
      }),
      cases(500),
    );
  });

  it('is read to its end, however long it is', () => {
    fc.assert(
      fc.property(longText([...words, 'Bearer '], 20_000), ({ text }) => {
        ending(() => [text, inHeader(text)].map((one) => answer(() => credentialsIn(one), CfError)));
      }),
      cases(25),
    );
  });
});

describe('the end of a token', () => {
  const claims = (value: unknown): string => `h.${Buffer.from(JSON.stringify(value)).toString('base64url')}.s`;

  it('is a time, or not known', () => {
    const token = fc.oneof(
      twisted({ exp: 1_800_000_000, sub: 'joe' }, ['exp', 'sub']).map(claims),
      hostileJson(['exp'], 2).map(claims),
      mutated([claims({ exp: 1_800_000_000 })], ['.', '=']),
      hostileText(['.', 'eyJ']),
    );
    fc.assert(
      fc.property(token, (text) => {
        const end = tokenEnd(text);
        expect(end === undefined || Number.isFinite(end)).toBe(true);
      }),
      cases(500),
    );
  });
});

describe('a .dockerconfigjson', () => {
  const original = {
    auths: { 'a.example': { auth: 'YW5uOjE=' }, 'https://b.example/v1/': { username: 'bob', password: '2' } },
  };
  const keys = ['auths', 'a.example', 'https://b.example/v1/', 'auth', 'username', 'password'];

  it('names somebody in words that a header can have, or nobody', () => {
    const config = fc.oneof(
      twisted(original, keys).map((value) => JSON.stringify(value)),
      hostileJson(keys).map((value) => JSON.stringify(value)),
      mutated([JSON.stringify(original)], ['"auth":', '\\n', '\\u0000']),
      hostileText().map((auth) => JSON.stringify({ auths: { 'a.example': { auth } } })),
    );
    fc.assert(
      fc.property(config, fc.constantFrom('a.example', 'b.example', 'docker.io', '__proto__'), (text, host) => {
        const user = registryUser(text, host);
        if (user === undefined) return;
        expect(user).toMatch(sendable);
        expect(() => new Headers({ authorization: `Basic ${user}` })).not.toThrow();
      }),
      cases(500),
    );
  });
});
