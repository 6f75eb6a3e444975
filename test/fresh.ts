/**
 * Generated files are committed, so that they can be read and reviewed; this says whether they are what the sources
 * give today. `node test/fresh.ts` compares, with `--write` it writes them anew.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cloudFoundryKinds } from '../src/cloudfoundry/resources/all.ts';
import { flinkBlueGreenDeployment } from '../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../src/flink/resources/flink-deployment.ts';
import { flinkSessionJob } from '../src/flink/resources/flink-session-job.ts';
import { flinkStateSnapshot } from '../src/flink/resources/flink-state-snapshot.ts';
import { kudoKinds } from '../src/kudo/resources/all.ts';
import { crd } from '../src/schema/crd.ts';
import { crdYaml } from '../src/schema/crd-yaml.ts';
import type { Kind } from '../src/schema/kind.ts';
import { reference } from '../src/schema/reference.ts';
import { accessPage, accessYaml } from './access-docs.ts';
import { blueGreenTablePage } from './blue-green-docs.ts';
import { installationPage, recordedAnswersPage } from './cloudfoundry-docs.ts';
import { completeLock } from './complete-lock.ts';
import { configurationPage, nonceTablePage, recordedDifferencesPage, refusalsPage } from './flink-docs.ts';
import { generatedChartFiles } from './install/chart-files.ts';
import { grafanaDashboard } from './integrations/grafana-dashboard.ts';
import { kustomizeSchema } from './integrations/kustomize/kustomize-schema.ts';
import { metricsPage } from './integrations/metrics-page.ts';
import { kudoCommandsPage } from './kudo-commands.ts';
import { kudoDifferencesPage, kudoRefusalsPage, samplePackage } from './kudo-docs.ts';
import { functionsPage } from './kudo-functions.ts';
import { licencesPage, sbomPage } from './security-docs.ts';
import { steerCommandsPage } from './steer-docs.ts';
import { lamp } from './toy/resource.ts';
import { trackRecordPage } from './track-record.ts';
import { webhooksYaml } from './webhooks-yaml.ts';

/** The definition of each kind of a family, and its page of reference. */
function definitionsOf(family: string, kinds: readonly Kind[]): Readonly<Record<string, () => string>> {
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const { plural, group } = kind.type;
      return [
        [`crds/${plural}.${group}.yaml`, () => crdYaml(crd(kind))],
        [`docs/${family}/generated/${kind.type.kind.toLowerCase()}.md`, () => reference(kind)],
      ];
    }),
  );
}

/** Every generated file, relative to the root of the repository, and how it is made. */
const generators: Readonly<Record<string, () => string | Promise<string>>> = {
  'package-lock.json': () => completeLock(stored('package-lock.json') ?? ''),
  'bench/peers/client-node/package-lock.json': () =>
    completeLock(stored('bench/peers/client-node/package-lock.json') ?? ''),
  'charts/cutover/files/access.yaml': accessYaml,
  ...generatedChartFiles(),
  'charts/cutover/files/webhooks.yaml': webhooksYaml,
  'crds/flinkdeployments.flink.apache.org.yaml': () => crdYaml(crd(flinkDeployment)),
  'crds/flinksessionjobs.flink.apache.org.yaml': () => crdYaml(crd(flinkSessionJob)),
  'crds/flinkstatesnapshots.flink.apache.org.yaml': () => crdYaml(crd(flinkStateSnapshot)),
  'crds/flinkbluegreendeployments.flink.apache.org.yaml': () => crdYaml(crd(flinkBlueGreenDeployment)),
  ...definitionsOf('cloudfoundry', cloudFoundryKinds),
  ...definitionsOf('kudo', kudoKinds),
  'docs/cloudfoundry/generated/recorded-differences.md': recordedAnswersPage,
  'examples/cloudfoundry/install.yaml': installationPage,
  'docs/flink/generated/flinkbluegreendeployment.md': () => reference(flinkBlueGreenDeployment),
  'docs/flink/generated/flinkdeployment.md': () => reference(flinkDeployment),
  'docs/flink/generated/flinksessionjob.md': () => reference(flinkSessionJob),
  'docs/flink/generated/flinkstatesnapshot.md': () => reference(flinkStateSnapshot),
  'docs/flink/generated/bluegreen-table.md': blueGreenTablePage,
  'docs/flink/generated/configuration.md': configurationPage,
  'docs/flink/generated/nonce-table.md': nonceTablePage,
  'docs/flink/generated/recorded-differences.md': recordedDifferencesPage,
  'docs/flink/generated/refusals.md': refusalsPage,
  'charts/cutover/files/grafana/cutover.json': grafanaDashboard,
  'docs/operate/metrics.md': metricsPage,
  'integrations/kustomize/cutover.json': kustomizeSchema,
  'docs/kudo/generated/commands.md': kudoCommandsPage,
  'docs/kudo/generated/functions.md': functionsPage,
  'docs/kudo/generated/recorded-differences.md': kudoDifferencesPage,
  'docs/kudo/generated/refusals.md': kudoRefusalsPage,
  'docs/security/access.md': accessPage,
  'docs/security/generated/licences.md': licencesPage,
  'docs/security/generated/sbom.cdx.json': sbomPage,
  'docs/steer/generated/commands.md': steerCommandsPage,
  'docs/track-record.md': trackRecordPage,
  'src/kudo/generated/ledger.json': samplePackage,
  'test/toy/crd.yaml': () => crdYaml(crd(lamp)),
  'test/toy/generated/reference.md': () => reference(lamp),
};

/** Folders that hold generated files only: anything else in them is left over. */
const generatedOnly = [
  'charts/cutover/files/cloudfoundry',
  'charts/cutover/files/crds',
  'crds',
  'docs/cloudfoundry/generated',
  'docs/flink/generated',
  'docs/kudo/generated',
  'docs/security/generated',
  'docs/steer/generated',
  'src/kudo/generated',
];

const root = join(import.meta.dirname, '..');

function stored(file: string): string | undefined {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return undefined;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

/** Where two texts part, for a person who wants to know what is stale. */
function firstDifference(before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const line = fresh.findIndex((text, index) => text !== old[index]);
  if (line < 0) return `  line ${fresh.length + 1}: no longer there`;
  return `  line ${line + 1}:\n    - ${old[line] ?? '(end of file)'}\n    + ${fresh[line]}`;
}

async function main(args: readonly string[]): Promise<number> {
  const write = args.includes('--write');
  const unknown = args.find((arg) => arg !== '--write');
  if (unknown) {
    console.error(`unknown argument ${unknown}; the only one is --write`);
    return 1;
  }
  let stale = 0;
  for (const [file, generate] of Object.entries(generators)) {
    const [before, after] = [stored(file), await generate()];
    if (before === after) continue;
    stale++;
    if (write) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), after);
      console.log(`wrote ${file}`);
    } else {
      console.error(
        before === undefined ? `${file} is missing` : `${file} is stale\n${firstDifference(before, after)}`,
      );
    }
  }
  const leftOver = generatedOnly.flatMap(filesIn).filter((file) => !Object.hasOwn(generators, file));
  for (const file of leftOver) console.error(`${file} is generated by nothing: remove it`);
  if (!write && stale > 0) console.error('\nRun `npm run generate` and commit the result.');
  return leftOver.length > 0 || (!write && stale > 0) ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
