import { isLetter, isSpace, isUpper, mapCharacters, toLower, toUpper } from './case.ts';

type Kind = 'number' | 'upper' | 'letters' | 'connector' | 'punctuation' | 'other';

interface Word {
  readonly kind: Kind;
  readonly text: string;
}

const NUMBER = /^\p{N}$/u;
const PUNCTUATION = /^\p{P}$/u;
/** Ideographs are letters without case: they are no part of a word in Latin letters. */
const IDEOGRAPH = /^[\u3400-\u4d85\u4e00-\u9fcc\u{20000}-\u{2b81d}]$/u;

/**
 * `some_words` → `SomeWords`. Of connectors in a row the last one between two words goes, the others stay, and so do all
 * at both ends. (A text of nothing but connectors gets its last one doubled, as it does in Go.)
 */
export function camelCase(text: string): string {
  const characters = [...mapCharacters(text, (character) => character)];
  const begin = characters.findIndex((character) => !isConnector(character));
  if (begin < 0) return text + (characters.at(-1) ?? '');
  let out = characters.slice(0, begin).join('');
  for (let at = begin; at < characters.length; at += 1) {
    const character = characters[at] as string;
    const before = at > begin && isConnector(characters[at - 1] as string);
    if (!isConnector(character)) {
      out += at === begin || before ? toUpper(character) : toLower(character);
    } else if (at + 1 === characters.length || isConnector(characters[at + 1] as string)) {
      out += character;
    }
  }
  return out;
}

/** `HTTPServer` → `http_server`: the words in lower case with the connector between them. */
export function connectedCase(text: string, connector: '_' | '-'): string {
  const words = wordsOf(text);
  let out = '';
  let at = 0;
  const write = (word: Word | undefined) => {
    if (word) out += written(word, connector);
  };
  const isOne = (...kinds: readonly Kind[]) => kinds.some((kind) => words[at]?.kind === kind);
  /** What follows a number without a break belongs to it: `2xx`. */
  const tail = () => {
    for (; isOne('letters', 'number'); at += 1) write(words[at]);
  };

  while (at + 1 < words.length) {
    const word = words[at] as Word;
    write(word);
    at += 1;
    if (word.kind === 'connector' || word.kind === 'punctuation') continue;
    if (word.kind === 'number') {
      tail();
      if (at < words.length && !isOne('punctuation')) out += connector;
      continue;
    }
    if (!isOne('number')) {
      if (!isOne('connector', 'punctuation')) out += connector;
      continue;
    }
    if (at + 1 === words.length) break;
    // A number belongs to the letters before it (`bld4_floor`), unless small letters follow it (`http_2xx`).
    const number = words[at] as Word;
    at += 1;
    if (isOne('letters')) {
      out += connector;
      write(number);
      tail();
      if (at < words.length && !isOne('connector', 'punctuation')) out += connector;
    } else {
      write(number);
      if (!isOne('connector', 'punctuation')) out += connector;
    }
  }
  write(words[at]);
  return out;
}

function written(word: Word, connector: string): string {
  if (word.kind === 'connector') return connector.repeat([...word.text].length);
  if (word.kind !== 'upper') return word.text;
  return mapCharacters(word.text, (character) => (isUpper(character) ? toLower(character) : character));
}

function wordsOf(text: string): readonly Word[] {
  const characters = [...text];
  const words: Word[] = [];
  for (let at = 0; at < characters.length; ) {
    const kind = kindOfWord(characters[at] as string);
    const end = endOf(characters, at, kind);
    words.push({ kind, text: characters.slice(at, end).join('') });
    at = end;
  }
  return words;
}

function kindOfWord(character: string): Kind {
  if (isConnector(character)) return 'connector';
  if (PUNCTUATION.test(character)) return 'punctuation';
  if (isUpper(character)) return 'upper';
  if (isAlphabetic(character)) return 'letters';
  return NUMBER.test(character) ? 'number' : 'other';
}

function endOf(characters: readonly string[], begin: number, kind: Kind): number {
  const runOf = (from: number, belongs: (character: string) => boolean) => {
    let at = from;
    while (at < characters.length && belongs(characters[at] as string)) at += 1;
    return at;
  };
  const isSmall = (character: string) => isAlphabetic(character) && !isUpper(character);
  switch (kind) {
    case 'connector':
      return runOf(begin, isConnector);
    case 'punctuation':
      return runOf(begin, (character) => PUNCTUATION.test(character));
    case 'letters':
      return runOf(begin, isSmall);
    case 'number':
      return runOf(begin, (character) => NUMBER.test(character));
    case 'other':
      return runOf(begin, (character) => kindOfWord(character) === 'other');
    case 'upper': {
      const end = runOf(begin, isUpper);
      if (end - begin === 1) return runOf(end, isSmall);
      // `HTTPServer`: the last capital begins the next word.
      return end < characters.length && isAlphabetic(characters[end] as string) ? end - 1 : end;
    }
  }
}

function isConnector(character: string): boolean {
  return character === '-' || character === '_' || isSpace(character);
}

function isAlphabetic(character: string): boolean {
  return isLetter(character) && !IDEOGRAPH.test(character);
}
