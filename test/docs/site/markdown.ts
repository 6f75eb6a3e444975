import { Marked } from 'marked';
import { anchors } from '../anchors.ts';
import { plainText } from '../read-page.ts';
import { escaped } from './escaped.ts';

/** Says where a link leads on the site; `undefined` makes a text of it. */
export type Resolve = (target: string) => string | undefined;

/** HTML of a page of Markdown. Nothing that stands in it is markup but Markdown's own: HTML is shown as text, remarks are left out. */
export function html(markdown: string, resolve: Resolve): string {
  const nameOf = anchors();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const name = escaped(nameOf(plainText(tokens)));
        const here = `<a class="here" href="#${name}" aria-label="Link to this heading">#</a>`;
        return `<h${depth} id="${name}">${this.parser.parseInline(tokens)} ${here}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = resolve(href);
        return address === undefined ? inner : `<a href="${escaped(address)}">${inner}</a>`;
      },
      image({ href, text }) {
        const address = resolve(href);
        return address === undefined ? escaped(text) : `<img src="${escaped(address)}" alt="${escaped(text)}">`;
      },
      html: ({ text }) => escaped(text.replaceAll(/<!--.*?-->/gs, '')),
    },
  });
  const made = marked.parse(markdown, { async: false });
  // Tables may be wider than a phone. What is text was escaped: a tag that is here was made here.
  return made.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>');
}
