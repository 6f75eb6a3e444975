import { linkTo } from './address.ts';
import { escaped } from './escaped.ts';
import { navigation, type Section } from './navigation.ts';

export interface Framed {
  /** Where the page is on the site. */
  readonly address: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly sections: readonly Section[];
}

/** The policy of every page: our own style and pictures, and nothing else; no script at all. */
export const policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** A whole page around what it says. The navigation comes last, so that a phone shows the page first. */
export function frame({ address, title, body, sections }: Framed): string {
  const front = escaped(linkTo('index.html', address));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)} – Cutover</title>
<link rel="stylesheet" href="${escaped(linkTo('style.css', address))}">
</head>
<body>
<header><a href="${front}">Cutover</a><a class="jump" href="#navigation">Contents</a></header>
<main>
${body}</main>
<nav id="navigation" aria-label="Contents">
${navigation(sections, address)}
</nav>
</body>
</html>
`;
}
