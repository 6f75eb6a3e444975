import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputOptions, OutputBundle, OutputOptions, Plugin } from 'rolldown';
import { indexPage } from './index-page.ts';
import { styleSheet } from './style-sheet.ts';

/**
 * How the dashboard is bundled: one script, one style sheet, one icon, each with the hash of its content in its name so that it may be
 * cached for ever, and `index.html`, which may not. `web` is the folder `src/web`.
 */
export function webBundle(web: string): InputOptions & { readonly output: OutputOptions } {
  return {
    cwd: web,
    input: { app: join(web, 'main.tsx') },
    platform: 'browser',
    tsconfig: join(web, 'tsconfig.json'),
    plugins: [pageAndStyles(web)],
    output: {
      format: 'esm',
      entryFileNames: '[name]-[hash].js',
      // Everything in one file: the page is small, and a second request is dearer than a few kilobytes.
      codeSplitting: false,
      minify: true,
      comments: false,
    },
  };
}

function pageAndStyles(web: string): Plugin {
  return {
    name: 'page-and-styles',
    generateBundle(_options, bundle) {
      const emit = (name: string, ending: string, source: string): string => {
        const fileName = `${name}-${hash(source)}.${ending}`;
        this.emitFile({ type: 'asset', fileName, source });
        return fileName;
      };
      const style = emit('app', 'css', styleSheet(join(web, 'styles')));
      const icon = emit('icon', 'svg', readFileSync(join(web, 'icon.svg'), 'utf8'));
      const source = indexPage({ script: entryOf(bundle), style, icon });
      this.emitFile({ type: 'asset', fileName: 'index.html', source });
    },
  };
}

function entryOf(bundle: OutputBundle): string {
  const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry);
  if (!entry) throw new Error('the dashboard has no entry: src/web/main.tsx was not bundled');
  return entry.fileName;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
