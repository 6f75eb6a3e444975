import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration, showDuration } from '../../src/flink/config/duration.ts';
import { flatConfig } from '../../src/flink/config/flink-config.ts';
import { parseMemorySize, parsePodMemory, showMemorySize } from '../../src/flink/config/memory-size.ts';
import { parseOperatorConfig } from '../../src/flink/config/parse-operator-config.ts';
import * as kinds from '../../src/flink/config/value-kind.ts';
import { dueAfter, parsePeriod } from '../../src/flink/decide/snapshots/period.ts';
import { answer, cases, ending, expectNoPollution } from './fuzz.ts';
import { deepJson, hostileJson, hostileText, longText, mutated } from './hostile.ts';

/** These parsers never throw: what is none is `undefined`. */
class Never extends Error {}

describe('a duration of Flink', () => {
  const words = ['10', ' ', 'min', 's', 'ms', 'd', 'µs', 'P', 'T', 'PT', 'D', 'H', 'M', 'S', '.', '1', 'days'];
  const texts = fc.oneof(
    hostileText(words),
    mutated(['10 min', 'PT1H30M', '-P1DT2.5S', '15s', '999999999999999999 d', `P${'9'.repeat(400)}D`], words),
  );

  it('is a finite number, or none', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const read = answer(() => parseDuration(text), Never);
        if (!('value' in read) || read.value === undefined) return;
        expect(read.value).toSatisfy(Number.isFinite);
        expect(parseDuration(` ${text.toLowerCase()}\n`)).toBe(read.value);
      }),
      cases(2000),
    );
  });

  it('is read back as it was shown', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.nat(),
          fc.nat({ max: 10_000 }).map((days) => days * 86_400_000),
        ),
        (ms) => {
          expect(parseDuration(showDuration(ms))).toBe(ms);
        },
      ),
      cases(500),
    );
  });

  it('says when something is due, and that is a time', () => {
    const now = Date.UTC(2026, 0, 1);
    fc.assert(
      fc.property(texts, (text) => {
        const period = parsePeriod(text);
        if (period === undefined || 'problem' in period) return;
        const due = dueAfter(period, now);
        if (due === undefined) return;
        expect(due).toBeGreaterThan(now);
        expect(() => new Date(due).toISOString()).not.toThrow();
      }),
      cases(1000),
    );
  });
});

describe('a memory size of Flink', () => {
  const words = [
    '1600',
    'm',
    'mb',
    'Gi',
    'GiB',
    'g',
    'b',
    'bytes',
    'e',
    '1.5',
    '.',
    ' ',
    'k',
    'K',
    'kibibytes',
    't',
    'E',
    'P',
  ];

  it('is a whole number of bytes, or none', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText(words, 4), mutated(['1600m', '2 gb', '1.5GiB', '1e9'], words)), (text) => {
        const flink = answer(() => parseMemorySize(text), Never);
        const pod = answer(() => parsePodMemory(text), Never);
        for (const read of [flink, pod]) {
          if (!('value' in read) || read.value === undefined) continue;
          expect(read.value).toSatisfy(Number.isSafeInteger);
          expect(read.value).toBeGreaterThanOrEqual(0);
          expect(parseMemorySize(showMemorySize(read.value))).toBe(read.value);
        }
        // Where both notations could be meant, it is Flink's.
        if ('value' in flink && flink.value !== undefined) expect(pod).toEqual(flink);
      }),
      cases(2000),
    );
  });
});

describe('a value of any kind', () => {
  const { oneOf: _oneOf, optional: _optional, ...all } = kinds;
  const words = ['a', ':', ',', ';', "'", '"', 'key', '(?i)', '(', '[', '*', 'true', '1', '0.5', '8081', '1e3'];

  it.each(Object.entries(all) as [string, kinds.ValueKind<unknown>][])('is read or none: %s', (_, kind) => {
    fc.assert(
      fc.property(fc.oneof(hostileText(words), mutated([kind.example], words)), (text) => {
        const read = answer(() => kind.parse(text), Never);
        if ('value' in read && read.value !== undefined) expect(kind.show(read.value)).toBeTypeOf('string');
      }),
      cases(300),
    );
    fc.assert(
      fc.property(longText([...words, 'a:b,', "''", 'P1']), ({ text }) => {
        ending(() => answer(() => kind.parse(text), Never));
      }),
      cases(15),
    );
  });
});

describe('a configuration of Flink', () => {
  const keys = ['taskmanager', 'memory.process.size', 'high-availability', 'a', 'a.b'];

  it('is flat texts, whatever is nested in it', () => {
    const deep = fc.constantFrom(deepJson(20_000, 'a'), deepJson(20_000), `{"a":${deepJson(20_000)}}`);
    const texts = fc.oneof(
      { weight: 30, arbitrary: hostileJson(keys).map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: deep },
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = answer(() => flatConfig(JSON.parse(text)), Never);
        if (!('value' in read)) return;
        for (const [key, one] of read.value) expect([typeof key, typeof one]).toEqual(['string', 'string']);
      }),
      cases(600),
    );
  });

  it('of the operator is settings, or a problem in one line', () => {
    const words = [
      'a: b',
      'a:\n  b: c',
      '# x',
      ': ',
      '&a ',
      '*a',
      '<<: ',
      '- ',
      '? ',
      '!!map',
      '---',
      '\n',
      '__proto__: ',
      '|',
    ];
    const text = fc.oneof(
      hostileText(words),
      mutated(['taskmanager:\n  numberOfTaskSlots: 2\nkubernetes.operator.x: y\n'], words),
    );
    fc.assert(
      fc.property(fc.constantFrom('config.yaml', 'flink-conf.yaml'), text, (name, content) => {
        const read = parseOperatorConfig({ [name]: content });
        expectNoPollution();
        if ('problem' in read) {
          expect(read.problem).not.toMatch(/[\n\r]/);
          expect(read.problem.length).toBeLessThan(content.length + 500);
        } else {
          for (const value of Object.values(read.settings)) expect(value).toBeTypeOf('string');
        }
      }),
      cases(500),
    );
  });

  it('of the operator is read to its end, however long a line is', () => {
    fc.assert(
      fc.property(longText(['a: b\n', 'a', ': ', ' :', 'a ']), ({ text: content }) => {
        ending(() => parseOperatorConfig({ 'flink-conf.yaml': content }));
      }),
      cases(20),
    );
  });
});
