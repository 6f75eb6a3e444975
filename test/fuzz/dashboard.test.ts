import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patchIn } from '../../src/server/api/patch-in.ts';
import { SessionCookie } from '../../src/server/http/cookie.ts';
import { Refusal } from '../../src/server/http/refusal.ts';
import { type Remembered, SessionSeal } from '../../src/server/login/session-seal.ts';
import { headersIn, NotifyConfigError, parseNotifyConfig } from '../../src/server/notify/notify-config.ts';
import { answer, cases, ending } from './fuzz.ts';
import { deepJson, hostileJson, hostileText, longText, mutated, twisted } from './hostile.ts';

const yaml = [
  'a: b',
  '- ',
  '? ',
  ': ',
  '&a ',
  '*a',
  '<<: *a',
  '!!str ',
  '!!binary ',
  '|',
  '>',
  '---\n',
  '%YAML 1.1\n',
  '\n',
  '  ',
  '{',
  '}',
  '[',
  ']',
];

describe('a merge patch', () => {
  it('is a mapping, or refused', () => {
    const original = 'spec:\n  job: &j { parallelism: 4 }\n  other: *j\n  text: |\n    a\n    b\n';
    const texts = fc.oneof(
      hostileText(yaml),
      mutated([original, '{"spec": {"replicas": 3}}'], yaml),
      hostileJson(['spec', 'metadata']).map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = answer(() => patchIn(text), Refusal, text.length);
        if ('value' in read) expect(Object.getPrototypeOf(read.value)).toBe(Object.prototype);
      }),
      cases(800),
    );
  });

  it('in JSON says what JSON says, keys of every name included', () => {
    fc.assert(
      fc.property(hostileJson(['spec', 'metadata'], 3), (value) => {
        const text = JSON.stringify(value);
        if (!text.startsWith('{')) return;
        expect(JSON.stringify(patchIn(text))).toBe(text);
      }),
      cases(300),
    );
  });

  it('is read to its end, however long or deep it is', () => {
    fc.assert(
      fc.property(fc.oneof(longText(yaml, 8000), longText(yaml, 300_000)), ({ text }) => {
        ending(() => answer(() => patchIn(text), Refusal, text.length));
      }),
      cases(40),
    );
    for (const text of [deepJson(60_000), deepJson(30_000, 'a'), deepJson(65, 'a')]) {
      expect(answer(() => patchIn(text), Refusal)).toHaveProperty('error.status', 422);
    }
  });
});

describe('a session in a cookie', () => {
  const seal = new SessionSeal('k'.repeat(32));
  const other = new SessionSeal('l'.repeat(32));
  const session = fc.record({ token: hostileText(), csrf: hostileText(), expiresAt: fc.nat() });

  it('opens as it was sealed, and for nobody else', () => {
    fc.assert(
      fc.property(session, hostileText(), hostileText(), (remembered, secret, guess) => {
        // What UTF-8 cannot hold does not come back; tokens are ASCII.
        const whole: Remembered = {
          ...remembered,
          token: remembered.token.toWellFormed(),
          csrf: remembered.csrf.toWellFormed(),
        };
        const sealed = seal.seal(secret.toWellFormed(), whole);
        if (sealed === undefined) return;
        expect(seal.open(secret.toWellFormed(), sealed)).toEqual(whole);
        expect(other.open(secret.toWellFormed(), sealed)).toBeUndefined();
        if (guess.toWellFormed() !== secret.toWellFormed())
          expect(seal.open(guess.toWellFormed(), sealed)).toBeUndefined();
      }),
      cases(300),
    );
  });

  it('does not open once a single bit is another', () => {
    const sealed = Buffer.from(seal.seal('s', { token: 't', csrf: 'c', expiresAt: 1 }) ?? '', 'base64url');
    fc.assert(
      fc.property(
        fc.nat({ max: sealed.length - 1 }),
        fc.nat({ max: 7 }),
        fc.nat({ max: sealed.length }),
        (at, bit, end) => {
          const broken = Buffer.from(sealed);
          broken[at] = (broken[at] ?? 0) ^ (1 << bit);
          expect(seal.open('s', broken.toString('base64url'))).toBeUndefined();
          expect(seal.open('s', sealed.subarray(0, end).toString('base64url')) !== undefined).toBe(
            end === sealed.length,
          );
        },
      ),
      cases(300),
    );
  });

  it('is nothing when it was never sealed, and is found in any header', () => {
    const cookie = new SessionCookie({ secure: true, port: () => 8080 });
    fc.assert(
      fc.property(hostileText(['__Host-cutover-8080=', ';', '=']), (text) => {
        expect(seal.open(text, text)).toBeUndefined();
        const value = cookie.read(`${text.replaceAll('__Host-cutover-8080', 'x')}; __Host-cutover-8080=mine; ${text}`);
        expect(value).toBe('mine');
      }),
      cases(300),
    );
  });
});

describe('who is notified', () => {
  const original =
    'webhooks:\n- url: https://hooks.example/x\n  events: [failed]\n  namespaces: [north]\n  headersFrom: /etc/h\n';

  it('is a list of addresses, or refused in one line that holds no address', () => {
    const texts = fc.oneof(
      hostileText([...yaml, 'webhooks: ', 'url: ', 'https://a:secret@b/']),
      mutated([original, original.replace('https://', 'https://who:secret@')], yaml),
      twisted({ webhooks: [{ url: 'https://who:secret@hooks.example/', events: ['failed'] }] }, [
        'url',
        'events',
        'namespaces',
      ]).map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = answer(() => parseNotifyConfig(text), NotifyConfigError, text.length);
        if ('error' in read) {
          expect(read.error.message).not.toMatch(/secret@/);
          return;
        }
        for (const { url } of read.value) expect(['http:', 'https:']).toContain(new URL(url).protocol);
      }),
      cases(500),
    );
  });

  it('has headers that can be sent', () => {
    fc.assert(
      fc.property(hostileText(['Authorization: Bearer x\n', 'X-A:', '\r\n', ': ']), (text) => {
        for (const [name, value] of Object.entries(headersIn(text)))
          expect(() => new Headers([[name, value]])).not.toThrow();
      }),
      cases(400),
    );
    fc.assert(
      fc.property(longText(['A:', 'A: ', '\t', '\r', ':']), ({ text }) => {
        ending(() => headersIn(text));
      }),
      cases(20),
    );
  });
});
