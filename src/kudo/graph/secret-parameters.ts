import type { OperatorVersion } from '../resources/operator-version.ts';
import { readsOf } from './reads.ts';

/** Names that people give to what nobody should see. */
const tellTale = /pass(?:word|wd|phrase)|secret|token|credential|private_?key|api_?key/i;

/**
 * Parameters are no Secrets, but some become ones: nobody is told the value of one that a template with a Secret reads, nor of one
 * that is named like a secret.
 */
export function isSecretParameter(version: OperatorVersion, name: string): boolean {
  const read = readBySecrets(version);
  return read === 'all' || read.has(name) || tellTale.test(name);
}

const known = new WeakMap<OperatorVersion, ReadonlySet<string> | 'all'>();

/** Versions are never changed in place, and a page asks this again and again. */
function readBySecrets(version: OperatorVersion): ReadonlySet<string> | 'all' {
  const found = known.get(version) ?? findReadBySecrets(version);
  known.set(version, found);
  return found;
}

function findReadBySecrets(version: OperatorVersion): ReadonlySet<string> | 'all' {
  const found = new Set<string>();
  for (const [file, text] of Object.entries(version.spec.templates ?? {})) {
    if (typeof text !== 'string' || !/^[ \t]*kind:[ \t]*["']?Secret\b/m.test(text)) continue;
    const { params, any } = readsOf(version, file);
    if (any) return 'all';
    for (const name of params.keys()) found.add(name);
  }
  return found;
}
