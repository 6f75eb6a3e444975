import type { AnyObject } from '../../kube/object.ts';
import { forbiddenValue, invalidValue, requiredValue, tooLong, unsupportedValue } from '../schema/field-error.ts';
import { type FieldError, invalid } from '../status-error.ts';

/** What a write asks for beyond the object itself. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Who the written fields belong to. */
  readonly manager: string;
  /** What happens to fields that the kind does not have. */
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Take fields from other managers (apply only). */
  readonly force: boolean;
  /** The options as admission shows them. */
  readonly object: AnyObject;
}

/** Kinds of options, as messages and admission name them. */
type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/**
 * Reads the options of a write from its query.
 *
 * @throws StatusError 422 in the words of the real server
 */
export function writeOptions(
  kind: OptionsKind,
  query: URLSearchParams,
  userAgent: string,
  apply = false,
): WriteOptions {
  const manager = query.get('fieldManager') ?? '';
  const force = query.get('force');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const errors: FieldError[] = [];
  if (apply && manager === '') {
    errors.push(requiredValue('fieldManager', 'is required for apply patch'));
  }
  if (kind === 'PatchOptions' && !apply && force !== null) {
    errors.push(forbiddenValue('force', 'may not be specified for non-apply patch'));
  }
  errors.push(...checkManager(manager), ...checkDryRun(dryRun));
  const modes = ['', 'Ignore', 'Strict', 'Warn'];
  if (!modes.includes(fieldValidation)) errors.push(unsupportedValue('fieldValidation', fieldValidation, modes));
  if (errors.length > 0) throw invalid('meta.k8s.io', kind, '', errors);
  return {
    dryRun: dryRun.length > 0,
    manager: manager || managerOf(userAgent),
    fieldValidation: (fieldValidation || 'Warn') as WriteOptions['fieldValidation'],
    force: force === 'true' || force === '1',
    object: {
      kind,
      apiVersion: 'meta.k8s.io/v1',
      ...(dryRun.length > 0 && { dryRun }),
      ...(force !== null && { force: force === 'true' }),
      ...(manager && { fieldManager: manager }),
      ...(fieldValidation && { fieldValidation }),
    } as unknown as AnyObject,
  };
}

/** Options of a write that the server itself makes. */
export function ownOptions(kind: OptionsKind, manager: string): WriteOptions {
  return {
    dryRun: false,
    manager,
    fieldValidation: 'Ignore',
    force: false,
    object: { kind, apiVersion: 'meta.k8s.io/v1', fieldManager: manager } as unknown as AnyObject,
  };
}

export function checkDryRun(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [unsupportedValue('dryRun', values, ['All'])];
}

function checkManager(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > 128) return [tooLong('fieldManager', 128)];
  const bad = /[^\P{C}]/u.exec(manager);
  if (!bad) return [];
  const code = `U+${(bad[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
  return [invalidValue('fieldManager', manager, `invalid character ${code} (at position ${bad.index})`)];
}

/** A client that names no manager is known by the program in its user agent: `kubectl/v1.37 (linux)` is `kubectl`. */
function managerOf(userAgent: string): string {
  const program = userAgent.split('/', 1)[0] ?? '';
  const printable = program.replace(/[^\P{C}]/gu, '');
  return printable.slice(0, 128) || 'unknown';
}
