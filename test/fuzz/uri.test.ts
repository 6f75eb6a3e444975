import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { artifactFault } from '../../src/flink/validate/artifact-uri.ts';
import { schemeOf, shownUri, uriFault } from '../../src/flink/validate/uri.ts';
import { answer, cases, ending } from './fuzz.ts';
import { hostileText, longText, mutated } from './hostile.ts';

class Never extends Error {}

const words = [
  'https',
  'http',
  's3',
  'local',
  ':',
  '/',
  '//',
  '///',
  '\\',
  '@',
  '?',
  '#',
  '%',
  '%40',
  'host',
  '.',
  ':80',
  '[::1]',
  'a.jar',
];
const policy = { schemes: ['https', 'http'], restrictHosts: true };

/** Ways to write a host that belongs to nobody outside: the machine itself, its network, its cloud. */
const inside = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '169.254.169.254',
  '10.0.0.1',
  '192.168.1.1',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'metadata.google.internal',
  'kubernetes.default.svc',
  'x.svc.cluster.local.',
  '%6cocalhost',
  '[fe80::1]',
  '[fd00::1]',
  'kubernetes',
];

describe('a URI', () => {
  it('is judged without an exception, in a sentence that can be shown', () => {
    fc.assert(
      fc.property(
        fc.oneof(hostileText(words), mutated(['https://repo.example/a/job.jar?sig=x', 's3://bucket/job.jar'], words)),
        (text) => {
          answer(() => [schemeOf(text), uriFault(text)], Never);
          const fault = answer(() => artifactFault(text, policy), Never);
          if (!('value' in fault) || fault.value === undefined) return;
          expect(fault.value.message.length).toBeLessThan(2000);
        },
      ),
      cases(600),
    );
  });

  it('is never let through to a host inside, however that is written', () => {
    const port = fc.constantFrom('', ':80', ':6443', ':');
    const path = fc.oneof(
      fc.constantFrom('', '/', '/a.jar', '?x', '#x', '/@host.example/', '/%2e%2e/'),
      hostileText(words, 3).map((text) => `/${text}`),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('https://', 'HTTP://', 'https:', 'https:/', 'https:///', 'https:\\\\'),
        fc.constantFrom(...inside),
        port,
        path,
        (scheme, host, at, rest) => {
          expect(artifactFault(`${scheme}${host}${at}${rest}`, policy)).toBeDefined();
        },
      ),
      cases(600),
    );
    expect(artifactFault('https://repo.example/a.jar', policy)).toBeUndefined();
  });

  it('is shown without what is secret in it', () => {
    const secret = fc
      .tuple(hostileText(['p', '%40', '!', '$'], 2), hostileText(['/', '@', ':', '?', '#'], 2))
      .map((parts) => parts.join(''));
    const head = fc.constantFrom('https://', 'https:/', 'https:', 'https:\\\\', 'HTTPS:///', 's3a://', '//');
    fc.assert(
      fc.property(head, secret, secret, (scheme, before, after) => {
        const uri = `${scheme}user:${before}HIDDEN${after}@repo.example/a.jar?sig=HIDDEN#HIDDEN`;
        expect(shownUri(uri)).not.toContain('HIDDEN');
        expect(JSON.stringify(artifactFault(uri, policy) ?? '')).not.toContain('HIDDEN');
      }),
      cases(800),
    );
  });

  it('is read to its end, however long it is', () => {
    fc.assert(
      fc.property(longText([...words, 'a.', '@/']), ({ text }) => {
        ending(() => [
          shownUri(text),
          uriFault(text),
          artifactFault(text, policy),
          artifactFault(`https://${text}`, policy),
        ]);
      }),
      cases(40),
    );
  });
});
