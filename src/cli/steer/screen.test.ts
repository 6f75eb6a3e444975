import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { plain } from './render/line.ts';
import { Screen } from './screen.ts';

function terminal(columns: number, rows: number) {
  const written: string[] = [];
  return { written, columns, rows, write: (text: string) => void written.push(text) };
}

describe('a screen', () => {
  it('is drawn over itself from the top, and the terminal is given back with the last lines on it', () => {
    const it = terminal(20, 10);
    {
      using screen = new Screen(it, false);
      screen.draw([plain('one'), plain('two')]);
      screen.draw([plain('one'), plain('two')]);
      screen.draw([plain('three')]);
    }
    expect(it.written).toEqual([
      '\u001b[?1049h\u001b[?25l\u001b[Hone\u001b[K\r\ntwo\u001b[K\r\n\u001b[J',
      '\u001b[Hthree\u001b[K\r\n\u001b[J',
      '\u001b[?25h\u001b[?1049lthree\r\n',
    ]);
  });

  it('never writes more than fits', () => {
    const it = terminal(8, 4);
    using screen = new Screen(it, false);
    screen.draw(['a very long line', 'b', 'c', 'd', 'e'].map(plain));
    expect(it.written.join('').split('\r\n').slice(0, 3).map(stripVTControlCharacters)).toEqual([
      'a very …',
      'b',
      '… 3 mor…',
    ]);
  });

  it('that was never drawn leaves no trace', () => {
    const it = terminal(8, 4);
    new Screen(it, false)[Symbol.dispose]();
    expect(it.written).toEqual([]);
  });
});
