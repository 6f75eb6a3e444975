import type { ResourceType } from '../../kube/resource-type.ts';

/**
 * What a family wants to be asked about, and where. Installations are made of these: a hook that is served without being
 * declared would never be asked, and one that is declared without being served would be asked in vain. A test holds them
 * against each other.
 */
export interface DeclaredHook {
  /** Three words or more with dots between them, as the API server demands. People read it in every refusal. */
  readonly name: string;
  /** Where the admission server answers. */
  readonly path: string;
  readonly kind: 'validating' | 'mutating';
  /** Their subresources are not asked about: a status must always be writable. */
  readonly types: readonly ResourceType[];
  /** Never DELETE: what is unwanted must be able to go. */
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
}
