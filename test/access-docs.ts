import { stringify } from 'yaml';
import type { Grant } from '../src/control/access.ts';
import { policyRules } from '../src/control/policy-rules.ts';
import { accessParts } from '../src/main/access.ts';

const head = `# Generated from what the code declares by \`npm run generate\`; do not edit. docs/security/access.md gives the reason of each.
# watched: in the namespaces that are looked at. home: in the operator's own. cluster: kinds that are in no namespace.
`;

const places = ['watched', 'home', 'cluster'] as const satisfies readonly Grant['where'][];

/** The rules of every part, for the roles of the chart. */
export function accessYaml(): string {
  const parts = Object.entries(accessParts).map(([part, grants]) => {
    const rules = places.map((where) => [where, policyRules(grants, where)] as const);
    return [part, Object.fromEntries(rules.filter(([, some]) => some.length > 0))];
  });
  return head + stringify(Object.fromEntries(parts), { lineWidth: 0, aliasDuplicateObjects: false });
}
