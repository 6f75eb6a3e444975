import type { Foreign } from '../../control/controller.ts';
import type { FieldTree } from '../../control/schema-fit.ts';
import type { Kind } from '../../schema/kind.ts';
import { korifiManagers } from '../korifi-managers.ts';

/** What tells whether a kind is ours to act on: while Korifi keeps the status of an object, it stays Korifi's. */
export function identity(kind: Kind): { readonly foreign: Foreign; readonly schema: FieldTree } {
  // Only what we write: a definition without a field of the spec never shows it to us.
  return { foreign: { managers: korifiManagers }, schema: { properties: { status: kind.status.field } } };
}
