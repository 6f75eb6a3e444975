import type { OperatorPackage } from './operator-package.ts';
import { type Complaint, PackageError } from './package-error.ts';
import type { PackageFiles } from './package-files.ts';
import { parseOperatorFile } from './parse-operator-file.ts';
import { parseParamsFile } from './parse-params-file.ts';
import type { Notes } from './yaml/fields.ts';
import type { YamlNode } from './yaml/node.ts';
import { readYaml } from './yaml/read-yaml.ts';

const API_VERSION = 'kudo.dev/v1beta1';

/**
 * The package in these files. Pure. Errors: `PackageError` in KUDO's words where KUDO has some, with file, line and column;
 * of one file all errors at once.
 */
export function parsePackage({ origin, files }: PackageFiles): OperatorPackage {
  const warnings: Complaint[] = [];
  const operatorText = files.get('operator.yaml');
  const paramsText = files.get('params.yaml');
  const operator =
    operatorText === undefined
      ? undefined
      : inFile('failed to unmarshal operator file: ', () => {
          const root = rootOf('operator.yaml', operatorText, warnings);
          if (!root) return undefined;
          checkVersion(root, '');
          return decoded(warnings, (notes) => parseOperatorFile(root, notes));
        });
  if (operatorText !== undefined && !operator)
    throw new PackageError('failed to parse yaml into valid operator operator.yaml');
  const params =
    paramsText === undefined
      ? undefined
      : inFile('failed to unmarshal parameters file: ', () => {
          const root = rootOf('params.yaml', paramsText, warnings);
          if (root) checkVersion(root, 'failed to unmarshal parameters file: params.yaml: ');
          return decoded(warnings, (notes) => parseParamsFile(root, notes));
        });
  if (!operator) throw new PackageError(`operator package missing operator.yaml in ${origin}${hint(files)}`);
  if (!params) throw new PackageError(`operator package missing params.yaml in ${origin}`);
  return { origin, operator, params, templates: templatesOf(files), warnings };
}

function rootOf(file: string, text: string, warnings: Complaint[]): YamlNode | undefined {
  const read = readYaml(file, text);
  warnings.push(...read.warnings);
  return read.root;
}

function decoded<T>(warnings: Complaint[], decode: (notes: Notes) => T): T {
  const notes: Notes = { errors: [], warnings };
  const value = decode(notes);
  if (notes.errors.length > 0) throw new PackageError(notes.errors);
  return value;
}

/** The one version of the format there is; absent counts as it. */
function checkVersion(root: YamlNode, context: string): void {
  const node = root.kind === 'map' ? root.entries.get('apiVersion')?.value : undefined;
  if (!node || (node.kind === 'scalar' && (node.value === null || node.value === ''))) return;
  if (node.kind === 'scalar' && node.value === API_VERSION) return;
  const found = node.kind === 'scalar' ? String(node.value) : `a ${node.kind}`;
  throw new VersionError(`${context}expecting supported API version ${API_VERSION} but got ${found}`);
}

/** Has its words already. */
class VersionError extends PackageError {}

function inFile<T>(context: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PackageError) || error instanceof VersionError) throw error;
    throw new PackageError(error.complaints, context);
  }
}

/** Anything under `templates/` whose name has `.yaml` in it, as KUDO's pattern matches. */
function templatesOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const templates = new Map<string, string>();
  for (const path of [...files.keys()].sort()) {
    if (!path.startsWith('templates/') || !path.slice(path.lastIndexOf('/')).includes('.yaml')) continue;
    templates.set(path.slice('templates/'.length), files.get(path) as string);
  }
  return templates;
}

/** People pack the folder instead of what is in it. */
function hint(files: ReadonlyMap<string, string>): string {
  const inside = [...files.keys()].find((path) => path.endsWith('/operator.yaml') && path.split('/').length === 2);
  return inside === undefined ? '' : `; there is one in the folder ${inside.split('/')[0]}`;
}
