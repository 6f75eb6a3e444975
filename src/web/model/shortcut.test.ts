import { describe, expect, it } from 'vitest';
import { type Pressed, shortcutOf } from './shortcut.ts';

const press = (key: string, given: Partial<Pressed> = {}): Pressed => ({
  key,
  before: undefined,
  typing: false,
  held: false,
  ...given,
});

describe('a key', () => {
  it.each([
    ['/', 'search'],
    ['j', 'down'],
    ['ArrowUp', 'up'],
    ['Enter', 'open'],
    ['?', 'help'],
    ['Escape', 'back'],
    ['g', undefined],
    ['f', undefined],
    ['constructor', undefined],
  ])('%s means %s', (key, meaning) => {
    expect(shortcutOf(press(key))).toBe(meaning);
  });

  it('leads to the fleet after g', () => {
    expect(shortcutOf(press('f', { before: 'g' }))).toBe('fleet');
    expect(shortcutOf(press('j', { before: 'g' }))).toBeUndefined();
  });

  it('means nothing while somebody types, but for Escape', () => {
    expect(shortcutOf(press('j', { typing: true }))).toBeUndefined();
    expect(shortcutOf(press('Escape', { typing: true }))).toBe('back');
  });

  it('is the browser’s when Control is held', () => {
    expect(shortcutOf(press('k', { held: true }))).toBeUndefined();
  });
});
