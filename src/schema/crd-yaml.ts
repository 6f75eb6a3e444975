import { stringify } from 'yaml';
import type { Crd } from './crd.ts';

/**
 * The CRD as a file to commit: the same definition gives the same bytes. Kubernetes reads YAML 1.1, in which a bare `on`
 * is a boolean; strings that look so are quoted.
 */
export function crdYaml(crd: Crd): string {
  const header = '# Generated from the definition of the kind by `npm run generate`; do not edit.\n';
  return header + stringify(crd, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
