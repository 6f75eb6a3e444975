import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KubeError } from '../../src/kube/error.ts';
import { errorFrom } from '../../src/kube/error-from.ts';
import { lines } from '../../src/kube/lines.ts';
import { watchEvents } from '../../src/kube/watch.ts';
import { answerOf, cases } from './fuzz.ts';
import { deepJson, hostileJson, hostileText, mutated, twisted } from './hostile.ts';

const keys = [
  'type',
  'object',
  'metadata',
  'kind',
  'code',
  'reason',
  'message',
  'details',
  'retryAfterSeconds',
  'causes',
];
const words = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR', 'Status', 'Gone', '\n', '{', '}'];
const pod = { type: 'ADDED', object: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a', resourceVersion: '7' } } };
const gone = {
  type: 'ERROR',
  object: {
    kind: 'Status',
    code: 410,
    reason: 'Expired',
    message: 'too old',
    details: { retryAfterSeconds: 1, causes: [] },
  },
};

/** The bytes in pieces of these sizes, again and again. */
async function* chopped(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe('lines of a stream', () => {
  it('are the same, wherever the network cuts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 60 })),
        sizes,
        fc.boolean(),
        async (parts, pieces, ended) => {
          const bytes = Buffer.concat(
            parts.flatMap((part) => [part, Buffer.from('\n')]).slice(0, ended ? undefined : -1),
          );
          const expected = bytes.toString('latin1').split('\n');
          const rest = expected.pop() ?? '';
          const found: string[] = [];
          const read = await answerOf(async () => {
            for await (const line of lines(chopped(bytes, pieces))) found.push(line.toString('latin1'));
          }, KubeError);
          expect(found).toEqual(expected.filter((line) => line !== ''));
          expect('error' in read).toBe(rest !== '');
        },
      ),
      cases(400),
    );
  });

  it('never hold more than one line may have', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500 }), sizes, async (longest, pieces) => {
        let taken = 0;
        async function* endless(): AsyncGenerator<Uint8Array> {
          for await (const piece of chopped(Buffer.alloc(1000, 'x'), pieces)) {
            taken += piece.length;
            yield piece;
          }
        }
        const read = await answerOf(async () => {
          for await (const line of lines(endless(), longest)) expect(line).toBeUndefined();
        }, KubeError);
        expect(read).toHaveProperty('error.kind', 'garbled');
        expect(taken).toBeLessThanOrEqual(longest + Math.max(...pieces));
      }),
      cases(200),
    );
  });
});

describe('a watch', () => {
  const events = fc.oneof(
    hostileJson([...keys, ...words]).map((event) => JSON.stringify(event)),
    twisted(pod, keys).map((event) => JSON.stringify(event)),
    twisted(gone, keys).map((event) => JSON.stringify(event)),
    mutated([JSON.stringify(pod), JSON.stringify(gone)], [...words, ...keys]),
    hostileText(words),
    fc.constantFrom(deepJson(50_000), `{"type":"ADDED","object":{"metadata":{"a":${deepJson(50_000, 'a')}}}}`),
  );

  it('tells events with an object and its metadata, or fails in its own words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(events, { maxLength: 4 }), sizes, async (texts, pieces) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        await answerOf(
          async () => {
            for await (const event of watchEvents(
              async () =>
                chopped(
                  bytes,
                  pieces.map((size) => size * 50),
                ),
              'pods',
            )) {
              expect(event.object.metadata).toBeTypeOf('object');
              expect(Array.isArray(event.object.metadata)).toBe(false);
            }
          },
          KubeError,
          bytes.length,
        );
      }),
      cases(600),
    );
  });
});

describe('an answer that is an error', () => {
  it('becomes one of ours, whatever its body and headers are', async () => {
    const header = fc.option(fc.oneof(hostileText(['1', 'Mon, 16 Nov 2026 00:00:00 GMT']), fc.nat().map(String)), {
      nil: undefined,
    });
    await fc.assert(
      fc.asyncProperty(
        twisted(gone.object, keys),
        header,
        header,
        fc.integer({ min: 400, max: 599 }),
        async (status, retry, date, code) => {
          const headers = { ...(retry !== undefined && { 'retry-after': retry }), ...(date !== undefined && { date }) };
          const body = chopped(Buffer.from(JSON.stringify(status)), [7]);
          const error = await errorFrom(
            { status: code, headers, body } as unknown as Parameters<typeof errorFrom>[0],
            'pods',
          );
          expect(error).toBeInstanceOf(KubeError);
          expect(error.message.length).toBeLessThan(3000);
          expect(error.retryAfterMs ?? 1).toBeGreaterThan(0);
          expect(error.retryAfterMs ?? 1).toBeLessThanOrEqual(3_600_000);
        },
      ),
      cases(500),
    );
  });
});
