import { describe, expect, it } from 'vitest';
import { appended, emptyTail } from './log-tail.ts';

describe('the end of a log', () => {
  it('joins lines that arrive in pieces', () => {
    const tail = ['one\ntw', 'o\r\nthr'].reduce((so, text) => appended(so, text), emptyTail);
    expect(tail).toEqual({ lines: ['one', 'two'], rest: 'thr', dropped: 0 });
  });

  it('keeps the last lines only and counts what it let go', () => {
    const tail = appended(appended(emptyTail, 'a\nb\nc\n', 2), 'd\n', 2);
    expect(tail).toEqual({ lines: ['c', 'd'], rest: '', dropped: 2 });
  });

  it('leaves out colours, which mean nothing here', () => {
    expect(appended(emptyTail, '\u001b[1;31mbad\u001b[0m news\n').lines).toEqual(['bad news']);
  });

  it('cuts a line that is too long, finished or not', () => {
    const long = 'x'.repeat(10_000);
    expect(appended(emptyTail, `${long}\n`).lines[0]).toHaveLength(4002);
    expect(appended(emptyTail, long).rest).toHaveLength(4002);
  });
});
