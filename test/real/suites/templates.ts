import type { Suite } from '../suite.ts';

/** Templates, thousands of them and made by chance, rendered by our engine and by Go with sprig. */
export const templates: Suite = {
  name: 'templates',
  parts: ['templates'],
  files: ['test/real/templates/'],
};
