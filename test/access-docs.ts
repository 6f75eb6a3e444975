import { stringify } from 'yaml';
import type { Grant } from '../src/control/access.ts';
import { policyRules } from '../src/control/policy-rules.ts';
import { accessParts, type PartName } from '../src/main/access.ts';
import { cell, code, generated } from './markdown.ts';

const head = `# Generated from what the code declares by \`npm run generate\`; do not edit. docs/security/access.md gives the reason of each.
# watched: in the namespaces that are looked at. home: in the operator's own. cluster: kinds that are in no namespace.
# places: in namespaces in which the operator binds the role to itself. elsewhere: in that of another operator.
`;

const places = ['watched', 'home', 'cluster', 'places', 'elsewhere'] as const satisfies readonly Grant['where'][];

/** The rules of every part, for the roles of the chart. */
export function accessYaml(): string {
  const parts = Object.entries(accessParts).map(([part, grants]) => {
    const rules = places.map((where) => [where, policyRules(grants, where)] as const);
    return [part, Object.fromEntries(rules.filter(([, some]) => some.length > 0))];
  });
  return head + stringify(Object.fromEntries(parts), { lineWidth: 0, aliasDuplicateObjects: false });
}

const titles: Readonly<Record<PartName, readonly [title: string, when: string]>> = {
  core: ['Every operator', 'Always.'],
  webhooks: ['Webhooks', 'With `webhooks.enabled`, as long as the operator keeps their certificates itself.'],
  dashboard: ['Dashboard', 'With `dashboard.enabled`. What people do there, they do with their own rights.'],
  notify: ['Notifications', 'With `notify`.'],
  uninstall: [
    'The Job that runs before a release is deleted',
    'With `uninstall.hook` and `watchNamespaces`, for these namespaces. Otherwise it asks for nothing that the operator does not ask for.',
  ],
  flink: ['Flink', 'With `families.flink`.'],
  flinkProxy: [
    'Flink through the API server',
    'With `flink.rest: proxy`, which is not the default. It opens every Service of these namespaces, past NetworkPolicies, for Kubernetes has no narrower right.',
  ],
  cloudfoundry: ['Cloud Foundry', 'With `families.cloudfoundry`.'],
  cloudfoundryApi: [
    'The API of Cloud Foundry',
    'With `cloudfoundry.api.enabled`. What users ask for is done with their own rights.',
  ],
  kudo: ['KUDO', 'With `families.kudo`.'],
  kudoPackages: [
    'What packages of KUDO bring',
    'A role of its own, `<release>-kudo-packages`, which is bound only with `kudo.packages.bind` or by hand, also in single namespaces. Until then each Instance says which right its plan waits for (condition `AccessMissing`).',
  ],
};

const where: Readonly<Record<Grant['where'], string>> = {
  watched: 'namespaces that are looked at',
  home: 'its own namespace',
  cluster: 'the cluster',
  places: 'namespaces that it made, and the root namespace',
  elsewhere: 'that of `flink.otherOperator.namespace`',
};

/** The page for whoever reviews what an installation may do. */
export function accessPage(): string {
  const parts = Object.entries(accessParts) as [PartName, readonly Grant[]][];
  return [
    '# What the operator may do',
    '',
    generated,
    '',
    'Every right that an installation has, part by part, with its reason. The parts declare them in code; the roles of the chart are made of',
    'these and of nothing else. A test runs every part under exactly these rights: it fails when something is asked that no right allows,',
    'and when a right is there that nothing used ([why and how](../decisions/0027-rights-from-the-code.md)).',
    '',
    'Secrets are never listed or watched in the whole cluster. With `watchNamespaces` the rights on "namespaces that are looked at" are Roles',
    'in those; what stands at "the cluster" is about kinds that are in no namespace.',
    '',
    ...parts.flatMap(([part, grants]) => [
      `## ${titles[part][0]}`,
      '',
      titles[part][1],
      '',
      '| what | may | where | what for |',
      '| --- | --- | --- | --- |',
      ...grants.map(row),
      '',
    ]),
  ].join('\n');
}

function row({ group, resources, verbs, names, where: place, why }: Grant): string {
  const kinds = resources.map((resource) => code(group === '' ? resource : `${resource}.${group}`)).join(', ');
  const named = names ? ` named ${names.map((name) => code(name)).join(', ')}` : '';
  return `| ${kinds}${named} | ${verbs.join(', ')} | ${where[place]} | ${cell(why)} |`;
}
