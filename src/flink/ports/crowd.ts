/** So many clusters are followed as closely as somebody wants; when there are more, all of them wait for each other. */
const enough = 200;

/**
 * The clusters that are followed closely. Each alone costs next to nothing; a thousand that start together would take the
 * time of those who start them.
 */
export class Crowd {
  readonly #clusters = new Set<object>();

  /** By which factor everybody waits longer. */
  get stretch(): number {
    return Math.max(1, this.#clusters.size / enough);
  }

  follow(cluster: object, closely: boolean): void {
    if (closely) this.#clusters.add(cluster);
    else this.#clusters.delete(cluster);
  }
}
