import { stringify } from 'yaml';
import { userRoles } from '../../src/cloudfoundry/install/user-roles.ts';
import { cloudFoundryKinds } from '../../src/cloudfoundry/resources/all.ts';
import { operatorOptions } from '../../src/flink/config/operator-options.ts';
import type { AnyOption } from '../../src/flink/config/option.ts';
import { flinkBlueGreenDeployment } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { flinkSessionJob } from '../../src/flink/resources/flink-session-job.ts';
import { flinkStateSnapshot } from '../../src/flink/resources/flink-state-snapshot.ts';
import { kudoKinds } from '../../src/kudo/resources/all.ts';
import { crd } from '../../src/schema/crd.ts';
import { crdYaml } from '../../src/schema/crd-yaml.ts';
import type { Kind } from '../../src/schema/kind.ts';

/** The chart, relative to the root of the repository. */
const chartFolder = 'charts/cutover';

const head = '# Generated from the definitions by `npm run generate`; do not edit.\n';

const kindsOfFamilies: Readonly<Record<string, readonly Kind[]>> = {
  flink: [flinkDeployment, flinkBlueGreenDeployment, flinkSessionJob, flinkStateSnapshot],
  cloudfoundry: cloudFoundryKinds,
  kudo: kudoKinds,
};

/** What the chart holds that is made of definitions: by name of the file, relative to the root of the repository. */
export function generatedChartFiles(): Readonly<Record<string, () => string>> {
  const kinds = Object.values(kindsOfFamilies).flat();
  return {
    ...Object.fromEntries(
      kinds.map((kind) => {
        const { plural, group } = kind.type;
        return [`${chartFolder}/files/crds/${plural}.${group}.yaml`, () => keptDefinition(kind)];
      }),
    ),
    [`${chartFolder}/files/kinds.yaml`]: kindsFile,
    [`${chartFolder}/files/flink-config.yaml`]: flinkConfigFile,
    [`${chartFolder}/files/cloudfoundry/roles.yaml`]: () =>
      `${head}${stringify(userRoles(), { lineWidth: 0, aliasDuplicateObjects: false })}`,
  };
}

/** Deleting a definition deletes every object of the kind: no `helm uninstall` may do that. */
function keptDefinition(kind: Kind): string {
  const annotations = 'metadata:\n  annotations:\n    helm.sh/resource-policy: keep\n';
  return crdYaml(crd(kind)).replace('metadata:\n', annotations);
}

/** Which keys of Flink's configuration an operator reads only at its start, and the one that says whether it reads the others again. */
function flinkConfigFile(): string {
  const once = Object.values<AnyOption>(operatorOptions).filter(({ atStart }) => atStart);
  const keys = { atStart: once.flatMap(({ key, otherKeys }) => [key, ...otherKeys]) };
  return `${head}${stringify({ ...keys, rereading: operatorOptions.dynamicConfig.key })}`;
}

/** The group of each family and the plurals of its kinds. */
function kindsFile(): string {
  const families = Object.entries(kindsOfFamilies).map(([family, kinds]) => [
    family,
    { group: kinds[0]?.type.group, plurals: kinds.map(({ type }) => type.plural) },
  ]);
  return `${head}${stringify(Object.fromEntries(families))}`;
}
