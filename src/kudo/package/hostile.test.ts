import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTar } from './archive/read-tar.ts';
import { createPackage } from './create-package.ts';
import { loadArchive } from './load-package.ts';
import { newPackage } from './new-package.ts';
import { PackageError } from './package-error.ts';
import { PACKAGE_LIMITS } from './package-files.ts';
import { parsePackage } from './parse-package.ts';
import { toResources } from './to-resources.ts';
import { verificationText, verifyPackage } from './verify/verify-package.ts';

/** Whatever a package is, it is refused in words, or it is not refused. */
async function answered(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    expect(error.message).not.toBe('');
  }
}

const files = newPackage('x');
const names = [...files.keys()];

/** Pieces that mean something in YAML, in templates, or to JavaScript. */
const piece = fc.oneof(
  fc.constantFrom('[', ']', '{', '}', ': ', '- ', '\n', '  ', '&a ', '*a', '<<: ', '!!str ', '~', '---\n', '{{', '}}'),
  fc.constantFrom(
    '__proto__: ',
    'constructor: ',
    '{{ .Params }}',
    '{{ range . }}',
    '{{ end }}',
    '"',
    "'",
    '|',
    '\t',
    '1e999',
  ),
  fc.string({ maxLength: 5 }),
);
const edit = fc.record({ file: fc.nat(), at: fc.nat(), remove: fc.nat({ max: 40 }), piece });

describe('a package that somebody broke', () => {
  it('is refused in words, wherever it was broken', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const broken = new Map(files);
        for (const { file, at, remove, piece: text } of edits) {
          const name = names[file % names.length] as string;
          const before = broken.get(name) ?? '';
          const start = at % (before.length + 1);
          broken.set(name, before.slice(0, start) + text + before.slice(start + remove));
        }
        await answered(() => {
          const found = parsePackage({ origin: 'x', files: broken });
          verificationText(verifyPackage(found, ['all']));
          toResources(found, 'ns');
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('an archive that somebody broke', () => {
  const packed = createPackage(new Map([...files].map(([path, text]) => [path, Buffer.from(text)])));

  it('is refused in words, compressed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: packed.length - 1 }), fc.nat({ max: 255 }), async (at, byte) => {
        const broken = Buffer.from(packed);
        broken[at] = byte;
        await answered(() => loadArchive(broken, 'x.tgz'));
      }),
      { numRuns: 100 },
    );
  });

  it('is refused in words, or holds only paths that stay inside', async () => {
    const header = fc.uint8Array({ minLength: 512, maxLength: 2048 });
    await fc.assert(
      fc.asyncProperty(header, async (bytes) =>
        answered(() => {
          for (const path of readTar({ bytes: Buffer.from(bytes) }, 'x', PACKAGE_LIMITS).keys())
            expect(path.split('/')).not.toContain('..');
        }),
      ),
    );
  });
});

describe('a file that is hard to read', () => {
  const parsed = (text: string) => () => parsePackage({ origin: 'x', files: new Map([['operator.yaml', text]]) });

  it('is refused for its first error, however many there are', () => {
    // The parser ends a message with the place once it makes an excerpt for every error, each as long as its line.
    expect(parsed('"\\q" '.repeat(40_000))).toThrow(
      /^failed to unmarshal operator file: operator\.yaml:1:2: Invalid escape sequence \\q$/,
    );
  });

  it('is not read if it is very long', () => {
    expect(parsed(`# ${'x'.repeat(1 << 20)}`)).toThrow(
      'operator.yaml:1:1: it has 1048578 characters, and at most 1048576 are read',
    );
  });
});
