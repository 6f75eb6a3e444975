import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cell, code, generated } from './markdown.ts';
import {
  allowedLicences,
  type Lock,
  needsOfProgram,
  type Part,
  packagesImported,
  type ShippedPackage,
  shippedPackages,
} from './shipped-packages.ts';

const root = join(import.meta.dirname, '..');

/**
 * What the program is made of, as CycloneDX 1.6. Without a time or a serial number, so that it changes only when a package does;
 * packages are named by purl, which says nothing about the place they were fetched from.
 */
export function sbomPage(): string {
  const { lock, dashboard, shipped } = readShipped();
  const program = read<{ readonly name: string; readonly version: string; readonly license: string }>('package.json');
  const self = `${program.name}@${program.version}`;
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': self,
        name: program.name,
        version: program.version,
        licenses: [{ license: { id: program.license } }],
      },
    },
    components: shipped.map(component),
    dependencies: [
      { ref: self, dependsOn: needsOfProgram(lock, dashboard).map(purl) },
      ...shipped.map((one) => ({ ref: purlOf(one), dependsOn: one.needs.map(purl) })),
    ],
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

const parts: Readonly<Record<Part, string>> = {
  program: 'In the program',
  dashboard: 'In the pages of the dashboard',
  runtime: 'The Node that runs it, one for each platform',
};

/** The page of all packages that reach users, and their licences. */
export function licencesPage(): string {
  const { shipped } = readShipped();
  return [
    '# Packages and their licences',
    '',
    generated,
    '',
    `Everything that reaches users: ${shipped.length} packages, by exact version and hash. The same in a form for machines, with the hashes`,
    'and with who needs whom, is [`sbom.cdx.json`](sbom.cdx.json) (CycloneDX 1.6). Tools that only build and test are not listed.',
    '',
    'A package without a licence, or with one that is not among these, fails `npm run fresh`:',
    `${allowedLicences.join(', ')}.`,
    '',
    ...Object.entries(parts).flatMap(([part, title]) => [
      `## ${title}`,
      '',
      '| package | version | licence |',
      '| --- | --- | --- |',
      ...shipped.filter((one) => one.part === part).map(row),
      '',
    ]),
  ].join('\n');
}

function row({ name, version, licence, concluded }: ShippedPackage): string {
  const note = concluded ? ' (the package does not say so; it is that of what it holds)' : '';
  return `| ${code(name)} | ${cell(version)} | ${cell(licence)}${note} |`;
}

function component(one: ShippedPackage): object {
  const [, scope, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(one.name) ?? [];
  return {
    type: 'library',
    'bom-ref': purlOf(one),
    ...(scope && { group: scope }),
    name,
    version: one.version,
    scope: one.part === 'runtime' ? 'optional' : 'required',
    hashes: [hash(one.integrity)],
    licenses: licences(one),
    purl: purlOf(one),
    properties: [{ name: 'cutover:part', value: one.part }],
  };
}

function licences({ licence, concluded }: ShippedPackage): readonly object[] {
  const acknowledgement = concluded ? 'concluded' : 'declared';
  if (licence.includes(' ')) return [{ expression: licence, acknowledgement }];
  return [{ license: { id: licence, acknowledgement } }];
}

/** Of the package as it is fetched. */
function hash(integrity: string): object {
  const [algorithm = '', value = ''] = integrity.split(/-(.*)/s);
  if (algorithm !== 'sha512') throw new Error(`a hash is made by ${algorithm}; only sha512 is strong enough`);
  return { alg: 'SHA-512', content: Buffer.from(value, 'base64').toString('hex') };
}

function purlOf({ name, version }: ShippedPackage): string {
  return purl(`${name}@${version}`);
}

/** The name of a package for the world: `pkg:npm/%40hono/node-server@2.1.6`. */
function purl(id: string): string {
  return `pkg:npm/${id.replace(/^@/, '%40')}`;
}

/** The packages that reach users, those in the dashboard among them. */
export function shippedNames(): ReadonlySet<string> {
  return new Set(readShipped().shipped.map(({ name }) => name));
}

function readShipped(): {
  readonly lock: Lock;
  readonly dashboard: readonly string[];
  readonly shipped: readonly ShippedPackage[];
} {
  const { packages: lock } = read<{ readonly packages: Lock }>('package-lock.json');
  const dashboard = packagesImported(root, 'src/web/main.tsx');
  const shipped = shippedPackages(lock, dashboard);
  for (const one of shipped) mustAgree(one);
  return { lock, dashboard, shipped };
}

/** What is installed must say the same as the lock file; packages for other platforms and versions below others are not looked at. */
function mustAgree({ name, version, licence, concluded, part }: ShippedPackage): void {
  if (part === 'runtime') return;
  const file = `node_modules/${name}/package.json`;
  const installed = read<{ readonly version?: string; readonly license?: string }>(file);
  if (installed.version !== version) return;
  if (!concluded && installed.license !== licence) {
    throw new Error(`${file} says ${installed.license}, the lock file ${licence}: look which is right`);
  }
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
}
