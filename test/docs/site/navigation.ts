import { lexer, type Token, type Tokens } from 'marked';
import { text } from '../pages.ts';
import { plainText } from '../read-page.ts';
import { addressOf, linkTo } from './address.ts';
import { escaped } from './escaped.ts';
import { sourceOf } from './sources.ts';

const front = 'docs/README.md';

interface Entry {
  readonly title: string;
  readonly address: string;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The lists of the front page are the navigation: the first link of each line, under its heading. */
export function sections(markdown = text(front)): readonly Section[] {
  const found: { title: string; entries: Entry[] }[] = [];
  for (const token of lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 2) {
      found.push({ title: plainText(token.tokens ?? []), entries: [] });
    } else if (token.type === 'list') {
      const links = (token as Tokens.List).items
        .map(({ tokens }) => firstLink(tokens))
        .filter((one) => one !== undefined);
      found
        .at(-1)
        ?.entries.push(
          ...links.map(({ href, tokens }) => ({ title: plainText(tokens), address: addressOf(sourceOf(front, href)) })),
        );
    }
  }
  return found;
}

function firstLink(tokens: readonly Token[]): Tokens.Link | undefined {
  for (const token of tokens) {
    if (token.type === 'link') return token as Tokens.Link;
    const inner = 'tokens' in token && token.tokens ? firstLink(token.tokens) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/** The navigation as it is on one page. A page that it does not name belongs to the page of its folder. */
export function navigation(all: readonly Section[], page: string): string {
  const named = all.flatMap(({ entries }) => entries.map(({ address }) => address));
  const current = named.includes(page) ? page : page.replace(/[^/]*(generated\/[^/]*)?$/, 'index.html');
  const item = ({ title, address }: Entry): string =>
    `<li><a href="${escaped(linkTo(address, page))}"${address === current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;
  return all
    .map(({ title, entries }) => `<h2>${escaped(title)}</h2>\n<ul>\n${entries.map(item).join('\n')}\n</ul>`)
    .join('\n');
}
