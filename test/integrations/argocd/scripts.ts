import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', '..', 'integrations', 'argocd');

/** The scripts of one kind. */
export interface KindScripts {
  readonly group: string;
  readonly kind: string;
  readonly health: string;
  readonly discovery?: string;
  readonly actions: Readonly<Record<string, string>>;
}

/** All scripts, by group and kind. */
export function scripts(): readonly KindScripts[] {
  const foldersIn = (path: string): readonly string[] =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  return foldersIn(folder).flatMap((group) =>
    foldersIn(join(folder, group)).map((kind): KindScripts => {
      const home = join(folder, group, kind);
      const text = (...path: readonly string[]): string => readFileSync(join(home, ...path), 'utf8');
      if (!foldersIn(home).includes('actions')) return { group, kind, health: text('health.lua'), actions: {} };
      const names = foldersIn(join(home, 'actions'));
      return {
        group,
        kind,
        health: text('health.lua'),
        discovery: text('actions', 'discovery.lua'),
        actions: Object.fromEntries(names.map((name) => [name, text('actions', name, 'action.lua')])),
      };
    }),
  );
}

export function scriptsOf(kind: string): KindScripts {
  const found = scripts().find((one) => one.kind === kind);
  if (!found) throw new Error(`there are no scripts for ${kind}`);
  return found;
}

/** Whether a health check needs Lua's own libraries, which Argo CD must be told. */
export function needsLibraries({ health }: Pick<KindScripts, 'health'>): boolean {
  return /\bstring\./.test(health);
}
