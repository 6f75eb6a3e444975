import { describe, expect, it } from 'vitest';
import { TerminalScreen } from './terminal-screen.ts';

function shown(...pieces: readonly string[]): TerminalScreen {
  const screen = new TerminalScreen(10, 3);
  for (const piece of pieces) screen.write(piece);
  return screen;
}

describe('the screen of a terminal', () => {
  it('writes over what is there, and keeps what is not written over', () => {
    expect(shown('hello\rHE\r\nworld\b\b\bX').text).toBe('HEllo\nwoXld');
    expect(shown('abcdef\u001b[3D\u001b[K').text).toBe('abc');
    expect(shown('one\r\ntwo\r\nthree\u001b[HO\u001b[2;1HT\u001b[J').text).toBe('One\nT');
  });

  it('wraps what is too long, and lets what is too much leave at the top', () => {
    expect(shown('1234567890ab').text).toBe('1234567890\nab');
    const screen = shown('a\r\nb\r\nc\r\nd');
    expect(screen.text).toBe('b\nc\nd');
    expect(screen.all).toBe('a\nb\nc\nd');
    screen.write('\u001b[H!');
    expect(screen.text).toBe('!\nc\nd');
  });

  it('gives the screen back as it was, with the cursor', () => {
    const screen = shown('$ watch\r\n', '\u001b[?1049h\u001b[?25l\u001b[Hpage');
    expect(screen).toMatchObject({ text: 'page', isTaken: true, cursor: false, all: '$ watch\n' });
    screen.write('\u001b[?25h\u001b[?1049l$ ');
    expect(screen).toMatchObject({ text: '$ watch\n$', isTaken: false, cursor: true });
  });

  it('understands sequences that come in pieces, and shows nothing of colours and titles', () => {
    expect(shown('\u001b', '[3', '2mgreen\u001b[', '0m\u001b]0;tit', 'le\u0007!').text).toBe('green!');
  });

  it('does not pretend to know what it does not', () => {
    expect(() => shown('\u001b[5L')).toThrow('ESC [ 5L');
    expect(() => shown('\u001b[?1003h')).toThrow('mode 1003');
  });
});
