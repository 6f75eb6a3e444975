import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readManifest, readPatch } from '../../src/cli/steer/plan/manifest.ts';
import { parseSettings, SettingsError } from '../../src/cloudfoundry/parse-settings.ts';
import { CommandError } from '../../src/portrait/text/command-error.ts';
import { answer, cases, ending } from './fuzz.ts';
import { deepJson, hostileText, longText, mutated } from './hostile.ts';

const original =
  'apiVersion: v1\nkind: List\nitems:\n- &a\n  apiVersion: v1\n  kind: Pod\n  metadata: { name: a }\n- *a\n---\n{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}\n';
const words = [
  'kind: ',
  'items: ',
  'metadata: ',
  ': ',
  '- ',
  '\n',
  '  ',
  '&a ',
  '*a',
  '*b',
  '<<: *a',
  '!!str ',
  '---\n',
  '...\n',
  '[',
  ']',
  '{',
  '}',
  '? ',
  '|',
];
const texts = fc.oneof(mutated([original], words), hostileText(words));

describe('a file that somebody gives to a command', () => {
  it('holds objects, or is refused', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const read = answer(() => readManifest(text, 'x.yaml'), CommandError, text.length);
        if (!('value' in read)) return;
        for (const { apiVersion, kind, metadata } of read.value) {
          expect([typeof apiVersion, typeof kind, typeof metadata.name]).toEqual(['string', 'string', 'string']);
        }
      }),
      cases(150),
    );
    for (const deep of [deepJson(20_000), deepJson(20_000, 'a'), `${'{"kind":"List","items":['.repeat(5000)}`]) {
      expect(answer(() => readManifest(deep, 'x.yaml'), CommandError)).toHaveProperty('error');
      expect(answer(() => readPatch(deep), CommandError)).toHaveProperty('error');
    }
  });

  it('is a patch, or is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(mutated(['{"spec":{"parameters":{"A":"3"}}}', 'spec: { a: 1 }'], words), hostileText(words)),
        (text) => {
          answer(() => readPatch(text), CommandError, text.length);
        },
      ),
      cases(150),
    );
  });

  it('is settings of Cloud Foundry, or is refused', () => {
    const settings =
      'rootNamespace: cf\nprocess: { memoryMB: 64 }\nrunner: { nodeSelector: { a: b }, tolerations: [{ key: a }] }\napiUrl: https://api.example\n';
    fc.assert(
      fc.property(fc.oneof(mutated([settings], words), hostileText(words)), (text) => {
        const read = answer(() => parseSettings(text, '1'), SettingsError, text.length * 4);
        if ('value' in read) expect(read.value.process.memoryMB).toBeGreaterThan(0);
      }),
      cases(150),
    );
  });

  it('is read to its end, however long it is', () => {
    fc.assert(
      fc.property(longText(words, 4000), ({ text }) => {
        ending(() => answer(() => readManifest(text, 'x.yaml'), CommandError, text.length));
      }),
      cases(10),
    );
  });
});
