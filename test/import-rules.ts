import { posix } from 'node:path';
import { type ExportNamedDeclaration, type ImportDeclaration, parseSync, Visitor } from 'oxc-parser';

/** What one room may use of another: everything, or only its types. */
type Use = 'all' | 'types';

/** Who may import whom: ARCHITECTURE.md, section 1. A room is a folder directly under `src/`, or the file `main.ts`; that and `main/` are the composition root. */
export const rules: Readonly<Record<string, Readonly<Record<string, Use>> | 'everything'>> = {
  clock: {},
  kube: { clock: 'all' },
  schema: { clock: 'all' },
  change: { clock: 'all', schema: 'all' },
  control: { clock: 'all', kube: 'all' },
  portrait: { clock: 'all', kube: 'types' },
  flink: { clock: 'all', schema: 'all', change: 'all', kube: 'all', control: 'all', portrait: 'all' },
  cloudfoundry: { clock: 'all', schema: 'all', change: 'all', kube: 'all', control: 'all', portrait: 'all' },
  kudo: { clock: 'all', schema: 'all', change: 'all', kube: 'all', control: 'all', portrait: 'all' },
  embedded: { clock: 'all', kube: 'all', control: 'all' },
  server: { clock: 'all', kube: 'all', control: 'all', portrait: 'all' },
  web: { portrait: 'all' },
  install: { clock: 'all', kube: 'all', portrait: 'all' },
  cli: { clock: 'all', kube: 'all', portrait: 'all' },
  main: 'everything',
  'main.ts': 'everything',
};

interface Import {
  /** As written: `../kube/object.ts`. Undefined when it is computed, so that nobody can tell. */
  readonly from: string | undefined;
  readonly types: boolean;
}

/**
 * What is wrong with the imports of one file. `file` is relative to the root of the repository, with slashes.
 * Packages and Node's own modules are nobody's business here.
 */
export function importProblems(file: string, source: string): string[] {
  const room = roomOf(file);
  if (room === undefined || rules[room] === undefined) return [`${file}: ${room ?? file} is no room of the house`];
  return importsOf(file, source).flatMap((found) => {
    const problem = problemOf(file, room, found);
    return problem ? [`${file} imports ${found.from ?? 'something computed'}: ${problem}`] : [];
  });
}

function problemOf(file: string, room: string, { from, types }: Import): string | undefined {
  if (from === undefined) return 'write the path as a literal, so that the direction can be checked';
  if (!from.startsWith('.')) return undefined;
  const target = roomOf(posix.join(posix.dirname(file), from));
  if (target === room) return undefined;
  const allowed = rules[room];
  if (target === undefined) {
    const version = allowed === 'everything' && posix.join(posix.dirname(file), from) === 'package.json';
    return version ? undefined : 'src/ imports nothing outside of src/';
  }
  if (allowed === 'everything') return rules[target] ? undefined : `${target} is no room of the house`;
  const use = allowed?.[target];
  if (use === 'all' || (use === 'types' && types)) return undefined;
  if (use === 'types') return `${room} may import only types of ${target}`;
  const names = Object.keys(allowed ?? {}).join(', ') || 'nothing';
  return `${room} may not import ${target}; it may import ${names}`;
}

/** `src/kube/patch.ts` is in `kube`, `src/main.ts` is `main.ts`; what is not under `src/` is in no room. */
function roomOf(file: string): string | undefined {
  return /^src\/([^/]+)/.exec(file)?.[1];
}

function importsOf(file: string, source: string): Import[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Import[] = [];
  const literal = (node: { readonly type: string }): string | undefined =>
    node.type === 'Literal' && 'value' in node && typeof node.value === 'string' ? node.value : undefined;
  new Visitor({
    ImportDeclaration: (node) => void found.push({ from: node.source.value, types: onlyTypes(node) }),
    ExportNamedDeclaration: (node) =>
      void (node.source && found.push({ from: node.source.value, types: onlyTypes(node) })),
    ExportAllDeclaration: (node) => void found.push({ from: node.source.value, types: node.exportKind === 'type' }),
    ImportExpression: (node) => void found.push({ from: literal(node.source), types: false }),
    TSImportType: (node) => void found.push({ from: node.source.value, types: true }),
  }).visit(program);
  return found;
}

/** `import type { A }` and `import { type A, type B }`; `import {} from` and `import 'x'` run the module. */
function onlyTypes(node: ImportDeclaration | ExportNamedDeclaration): boolean {
  if (node.type === 'ImportDeclaration') {
    const { specifiers } = node;
    const each =
      specifiers.length > 0 && specifiers.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type');
    return node.importKind === 'type' || each;
  }
  const { specifiers } = node;
  return node.exportKind === 'type' || (specifiers.length > 0 && specifiers.every((one) => one.exportKind === 'type'));
}
