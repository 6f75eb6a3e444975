import { stringify } from 'yaml';
import { installedHook } from '../src/control/webhooks/installed-hook.ts';
import { declaredHooks } from '../src/main/declared-hooks.ts';

/** The webhooks of every family, for the chart: a list of entries that know their family and whether they change objects. */
export function webhooksYaml(): string {
  const header = `# Generated from what the families declare by \`npm run generate\`; do not edit.
# A configuration adds clientConfig.service and namespaceSelector, and leaves caBundle out: the operator keeps it.
`;
  const entries = Object.entries(declaredHooks).flatMap(([family, hooks]) =>
    hooks.map((hook) => ({ family, ...installedHook(hook) })),
  );
  return header + stringify(entries, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
