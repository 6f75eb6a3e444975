/** What a key can mean. */
export type Shortcut = 'search' | 'down' | 'up' | 'open' | 'fleet' | 'help' | 'back';

const single: Readonly<Record<string, Shortcut>> = {
  '/': 'search',
  j: 'down',
  ArrowDown: 'down',
  k: 'up',
  ArrowUp: 'up',
  Enter: 'open',
  '?': 'help',
  Escape: 'back',
};

export interface Pressed {
  readonly key: string;
  /** The key before it, if it came within a second. */
  readonly before: string | undefined;
  /** Somebody is typing into a field: then only Escape means something. */
  readonly typing: boolean;
  /** Control, Alt or Command is held: those belong to the browser. */
  readonly held: boolean;
}

export function shortcutOf({ key, before, typing, held }: Pressed): Shortcut | undefined {
  if (held || (typing && key !== 'Escape')) return undefined;
  if (before === 'g') return key === 'f' ? 'fleet' : undefined;
  return Object.hasOwn(single, key) ? single[key] : undefined;
}
