import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newPackage } from '../../src/kudo/package/new-package.ts';
import { PackageError } from '../../src/kudo/package/package-error.ts';
import { parsePackage } from '../../src/kudo/package/parse-package.ts';
import { toResources } from '../../src/kudo/package/to-resources.ts';
import { verificationText, verifyPackage } from '../../src/kudo/package/verify/verify-package.ts';
import { parametersFromFile } from '../../src/kudo/parameters/parameters-from-file.ts';
import { answer, cases, ending, expectNoPollution } from './fuzz.ts';
import { hostileText, longText, mutated } from './hostile.ts';

describe('a package', () => {
  const original = newPackage('x');
  const words = [
    'name: ',
    'kind: Apply',
    '- ',
    ': ',
    '\n',
    '  ',
    '&a ',
    '*a',
    '<<: *a',
    '!!int ',
    '[',
    ']',
    '{',
    '}',
    '|',
    '---\n',
    '{{',
    '}}',
    'plans:',
    'tasks:',
    '~',
  ];

  it.each(['operator.yaml', 'params.yaml'])('is understood or refused with the place, its %s broken', (file) => {
    fc.assert(
      fc.property(mutated([original.get(file) ?? ''], words), (text) => {
        answer(
          () => {
            const found = parsePackage({ origin: 'x', files: new Map([...original, [file, text]]) });
            verificationText(verifyPackage(found, ['all']));
            toResources(found, 'ns');
          },
          PackageError,
          text.length * 4,
        );
      }),
      cases(10),
    );
    fc.assert(
      fc.property(longText(words, 4000), ({ text }) => {
        ending(() =>
          answer(
            () => parsePackage({ origin: 'x', files: new Map([...original, [file, text]]) }),
            PackageError,
            text.length * 4,
          ),
        );
      }),
      cases(8),
    );
  });

  it('takes values from any file, as texts', () => {
    fc.assert(
      fc.property(
        fc.oneof(hostileText(words), mutated(['NODES: 3\nLIST: [a, b]\nMAP: { a: 1.50 }\nON: yes\n'], words)),
        (text) => {
          const read = parametersFromFile(text);
          expectNoPollution();
          if ('error' in read) expect(read.error.length).toBeLessThan(text.length + 500);
          else for (const value of Object.values(read.parameters)) expect(value).toBeTypeOf('string');
        },
      ),
      cases(500),
    );
  });
});
