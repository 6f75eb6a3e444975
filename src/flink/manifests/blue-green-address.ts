import type { Color } from '../resources/blue-green-transition.ts';

/**
 * The `ingress.template` of one side, so that both can be reached while both are there. The colour goes before the host:
 * `{{name}}.example.com` is `blue-{{name}}.example.com`, and `*.example.com` stays in its domain: `*.blue.example.com`. A path alone that names the side by `{{name}}` tells them apart
 * already; before any other path the colour is a part of its own: `/app(/|$)(.*)` is `/blue/app(/|$)(.*)`.
 */
export function sideTemplate(template: string, color: Color): string {
  const word = color.toLowerCase();
  return prefixed(template, word, (path) => !/\{\{name\}\}/i.test(path));
}

/** The template of the preview: both ingresses have the same `{{name}}`, so that even a path with it needs the word. */
export function previewTemplate(template: string): string {
  return prefixed(template, 'preview', () => true);
}

function prefixed(template: string, word: string, pathNeedsIt: (path: string) => boolean): string {
  const [, scheme = '', wildcard = '', rest = ''] =
    /^([a-z][a-z\d+.-]*:\/\/)?(\*\.)?(.*)$/is.exec(template.trim()) ?? [];
  if (!rest.startsWith('/')) return `${scheme}${wildcard}${word}${wildcard ? '.' : '-'}${rest}`;
  return pathNeedsIt(rest) ? `${scheme}${wildcard}/${word}${rest}` : `${scheme}${wildcard}${rest}`;
}
