import files from './generated/ledger.json' with { type: 'json' };
import { parsePackage } from './package/parse-package.ts';
import { instanceOf, type PackageResources, toResources } from './package/to-resources.ts';
import type { Instance } from './resources/instance.ts';

/** What is installed to play with: the package in `examples/kudo/ledger`, which travels along as text. */
export const sample = { namespace: 'default', instance: 'ledger' } as const;

/** The objects of the sample, in the order in which they are created. */
export function sampleObjects(): readonly [
  PackageResources['operator'],
  PackageResources['operatorVersion'],
  Instance,
] {
  const found = parsePackage({ origin: 'examples/kudo/ledger', files: new Map(Object.entries(files)) });
  const resources = toResources(found, sample.namespace);
  return [resources.operator, resources.operatorVersion, instanceOf(resources, sample.instance, {})];
}

/** What to type to see the sample, to change it, and to see which changes restart its pods. */
export function commands(cutover = 'npm run cutover --'): readonly string[] {
  const kudo = `${cutover} kudo`;
  const update = `${kudo} update --instance ${sample.instance}`;
  return [
    `${kudo} plan status --instance ${sample.instance}`,
    'kubectl get pods -l kudo.dev/instance=ledger -o custom-columns=NAME:.metadata.name,UID:.metadata.uid',
    '# quiet: a fourth pod comes, the others keep their uid',
    `${update} -p NODE_COUNT=4`,
    '# quiet too: only the ConfigMap changes; pods read it without a restart',
    `${update} -p NOTICE="Books close at noon."`,
    '# restarts the pods one after the other, since they read it when they start',
    `${update} -p CURRENCY=CHF`,
    '# what a change would do, and to which pods, without doing it',
    `${kudo} diff --instance ${sample.instance} -p PAUSE_SECONDS=5`,
    `${kudo} plan trigger --name backup --instance ${sample.instance}`,
  ];
}
