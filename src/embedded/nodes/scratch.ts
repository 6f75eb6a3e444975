/** The contents of one volume, by relative path. Folders are there as long as something is in them. */
export type Tree = Map<string, Uint8Array>;

/** What the containers of one pod may write together, before their disk is full. */
const most = 32 << 20;

/** What the containers of a pod have written: into volumes that begin empty, which they share, and each beside them. */
export class Scratch {
  readonly #volumes = new Map<string, Tree>();
  readonly #layers = new Map<string, Tree>();

  volume(name: string): Tree {
    return treeIn(this.#volumes, name);
  }

  /** The container's own file system, as far as it was written to. */
  layer(container: string): Tree {
    return treeIn(this.#layers, container);
  }

  /** The container starts anew: what it wrote beside volumes is gone. */
  restart(container: string): void {
    this.#layers.delete(container);
  }

  hasRoom(bytes: number): boolean {
    let sum = bytes;
    for (const trees of [this.#volumes, this.#layers]) {
      for (const tree of trees.values()) for (const content of tree.values()) sum += content.length;
    }
    return sum <= most;
  }
}

function treeIn(trees: Map<string, Tree>, name: string): Tree {
  const found = trees.get(name) ?? new Map<string, Uint8Array>();
  trees.set(name, found);
  return found;
}
