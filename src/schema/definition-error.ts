/**
 * A kind is defined in a way that Kubernetes cannot hold. It is thrown where the definition is evaluated, so that such a
 * kind never gets as far as a cluster.
 */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
  /** The field at fault: `Lamp.spec.rooms[].size`. */
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path}: ${why}`);
    this.path = path;
  }
}
