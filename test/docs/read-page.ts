import { lexer, type Token, type Tokens } from 'marked';
import { anchors } from './anchors.ts';

/** A block of code, also one within a list. */
export interface Block {
  /** What stands behind the backticks: `sh`, `yaml`, or nothing. */
  readonly language: string;
  readonly text: string;
}

/** What a page of Markdown has that can be right or wrong. */
export interface ReadPage {
  /** Where its links and pictures lead. */
  readonly targets: readonly string[];
  /** What can be linked to. */
  readonly anchors: readonly string[];
  readonly blocks: readonly Block[];
  /** What stands in backticks within text, on one line. */
  readonly spoken: readonly string[];
}

export function readPage(markdown: string): ReadPage {
  const nameOf = anchors();
  const targets: string[] = [];
  const names: string[] = [];
  const blocks: Block[] = [];
  const spoken: string[] = [];
  for (const token of allOf(lexer(markdown))) {
    if (token.type === 'link' || token.type === 'image') targets.push(token.href);
    else if (token.type === 'heading') names.push(nameOf(plainText(token.tokens)));
    else if (token.type === 'code') blocks.push({ language: token.lang?.trim() ?? '', text: token.text });
    else if (token.type === 'codespan') spoken.push(token.text.replaceAll(/\s*\n\s*/g, ' '));
  }
  return { targets, anchors: names, blocks, spoken };
}

/** The letters of a heading, without what makes them bold or a link. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : token.raw)).join('');
}

type Known = Tokens.Link | Tokens.Image | Tokens.Heading | Tokens.Code | Tokens.Codespan;

function* allOf(tokens: readonly Token[]): Generator<Known> {
  for (const token of tokens) {
    yield token as Known;
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      for (const cell of [...header, ...rows.flat()]) yield* allOf(cell.tokens);
    } else if (token.type === 'list') yield* allOf((token as Tokens.List).items);
    else if ('tokens' in token && token.tokens) yield* allOf(token.tokens);
  }
}
