import { stringify } from 'yaml';
import { installation } from '../src/cloudfoundry/install/installation.ts';
import { defaultSettings } from '../src/cloudfoundry/settings.ts';
import { differences } from './golden/cloudfoundry/differences.ts';
import { cell, code, generated } from './markdown.ts';

const head = `# What Cutover needs for Cloud Foundry beside the definitions in crds/: the root namespace, the roles that people are given, and
# what the operator may do. Generated; change names and the administrator to yours.
#
#   kubectl create namespace cutover-system
#   kubectl apply --server-side -f crds/
#   kubectl apply --server-side -f examples/cloudfoundry/install.yaml   # once the definitions are served
`;

/** The manifest of an installation with all defaults. */
export function installationPage(): string {
  const objects = installation(defaultSettings, {
    operator: { namespace: 'cutover-system', name: 'cutover' },
    admins: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'cf-admin' }],
  });
  return `${head}${objects.map((object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`).join('')}`;
}

/** The page of all answers that are not as recorded, one row for each place and reason. */
export function recordedAnswersPage(): string {
  const rows = Map.groupBy(differences, ({ where, because }) => `${where.source}\n${because}`);
  return [
    '# Where recordings of Korifi differ',
    '',
    generated,
    '',
    'What the API of Korifi 0.18.0 answered to some 280 requests was recorded and is compared in the tests with what Cutover answers, field',
    'by field. A difference that is not listed here fails the comparison, and so does a row that no longer occurs.',
    '',
    '| recordings | where in the answer | why it stays |',
    '| --- | --- | --- |',
    ...[...rows.values()].map((same) => {
      const names = same.map(({ recording }) => (recording === '*' ? 'any' : code(recording))).join(', ');
      const [{ where, because } = { where: /(?:)/, because: '' }] = same;
      return `| ${names} | ${place(where)} | ${cell(because)} |`;
    }),
    '',
  ].join('\n');
}

/** A pattern without what only a machine needs. */
function place({ source }: RegExp): string {
  return code(
    source
      .replaceAll('\\w+', '*')
      .replaceAll('\\', '')
      .replaceAll(/^\^|\$$/g, ''),
  );
}
