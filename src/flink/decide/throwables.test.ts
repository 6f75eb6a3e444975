import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { throwables } from './throwables.ts';

describe('the exceptions of a stack trace', () => {
  it('are the one that was thrown and its causes, in that order', () => {
    const trace = [
      'java.util.concurrent.CompletionException: org.example.Outer: cannot',
      '\tat org.example.Main.run(Main.java:1)',
      '\tSuppressed: java.io.IOException: while closing',
      '\t\tat org.example.Main.close(Main.java:2)',
      '\tCaused by: java.lang.Error: of what was suppressed',
      'Caused by: org.example.Outer$Inner: cannot',
      '\t... 12 more',
      'Caused by: java.lang.NullPointerException',
      '\tat org.example.Main.last(Main.java:3)',
    ].join('\n');
    expect(throwables(trace)).toEqual([
      { type: 'java.util.concurrent.CompletionException', message: 'org.example.Outer: cannot' },
      { type: 'org.example.Outer$Inner', message: 'cannot' },
      { type: 'java.lang.NullPointerException', message: '' },
    ]);
  });

  it('have messages of several lines', () => {
    const trace = 'a.Problem: first\n\n  second\r\n\tat a.B.c(B.java:1)\nnot part of it\nCaused by: a.Cause: x\ny';
    expect(throwables(trace)).toEqual([
      { type: 'a.Problem', message: 'first\n\n  second' },
      { type: 'a.Cause', message: 'x\ny' },
    ]);
  });

  it.each(['', '\n\n', 'no trace at all', '<Exception on server side:'])('are none in %j', (text) => {
    expect(throwables(text)).toEqual([]);
  });

  it('are found after what a server puts before them', () => {
    expect(throwables('<Exception on server side:\na.Problem: x\n\tat a.B.c(B.java:1)')).toEqual([
      { type: 'a.Problem', message: 'x' },
    ]);
  });

  it('end with the last cause, whatever stands before it', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = throwables(`Caused by: ${text}\nCaused by: a.Cause: x\n\tat a.B.c(B.java:1)\n`);
        expect(found.at(-1)).toEqual({ type: 'a.Cause', message: 'x' });
      }),
    );
  });
});
