import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Outside } from '../../control/outside.ts';
import type { ClusterAddress, Interest, Rest } from '../rest.ts';
import { Crowd } from './crowd.ts';
import type { FlinkRest } from './flink-rest.ts';
import { FollowedCluster, type FollowedClusterOptions } from './followed-cluster.ts';
import { Slots } from './slots.ts';

export interface FollowerOptions {
  readonly rest: FlinkRest;
  readonly clock: Clock;
  readonly random: Random;
  /** How many requests may begin at a time; a quarter of it for clusters that failed last time. Default 32. */
  readonly most?: number;
}

/** What one controller sees of the follower: keys of its own. */
export interface Following extends Outside {
  look(key: string, interest: Interest): Rest;
  forget(key: string): void;
}

/**
 * What a reflector is for Kubernetes, for Flink's REST: keeps asking clusters that somebody looks at, and tells them when
 * something changed that matters to them.
 *
 * Guarantees: `look` never waits; what is new in an interest, and a JobManager that is new, is asked at once, then every
 * `everyMs`, give or take a tenth, or less often when hundreds are followed closely. All who look at a cluster share its
 * requests, which follow each other. A cluster that hangs delays no other. Nothing is asked, and no timer runs, for clusters that nobody looks at, whose JobManager is not
 * ready, or while nobody listens.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #slots: FollowedClusterOptions['slots'];
  readonly #crowd = new Crowd();
  readonly #clusters = new Map<string, FollowedCluster>();
  /** By who looks: the cluster they look at. */
  readonly #looking = new Map<string, string>();
  readonly #listeners = new Map<string, (key: string) => void>();

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { most = 32, clock } = options;
    const ailing = Math.max(1, Math.floor(most / 4));
    this.#slots = { well: new Slots(most - ailing, clock), ailing: new Slots(ailing, clock) };
  }

  /** The follower for one controller: two controllers may have the same keys. */
  of(controller: string): Following {
    const whoIs = (key: string): string => `${controller} ${key}`;
    return {
      look: (key, interest) => this.#look(whoIs(key), interest),
      forget: (key) => this.#forget(whoIs(key)),
      listen: (wake) => {
        this.#listeners.set(controller, wake);
        for (const cluster of this.#clusters.values()) cluster.resume();
        return () => {
          this.#listeners.delete(controller);
          if (this.#listeners.size === 0) for (const cluster of this.#clusters.values()) cluster.pause();
        };
      },
    };
  }

  /**
   * Something was just asked of a cluster. What it says now is worth knowing; what it said of this trigger before it
   * knew it is not.
   */
  acted(address: ClusterAddress, triggerId?: string): void {
    this.#clusters.get(nameOf(address))?.acted(triggerId);
  }

  #look(who: string, interest: Interest): Rest {
    const name = nameOf(interest.cluster);
    if (this.#looking.get(who) !== name) this.#forget(who);
    this.#looking.set(who, name);
    let cluster = this.#clusters.get(name);
    if (!cluster) {
      cluster = new FollowedCluster({
        ...this.#options,
        slots: this.#slots,
        crowd: this.#crowd,
        listening: () => this.#listeners.size > 0,
        wake: (one) => this.#wake(one),
      });
      this.#clusters.set(name, cluster);
    }
    return cluster.look(who, interest);
  }

  #forget(who: string): void {
    const name = this.#looking.get(who);
    if (name === undefined) return;
    this.#looking.delete(who);
    const cluster = this.#clusters.get(name);
    cluster?.forget(who);
    if (cluster?.deserted) this.#clusters.delete(name);
  }

  #wake(who: string): void {
    const end = who.indexOf(' ');
    this.#listeners.get(who.slice(0, end))?.(who.slice(end + 1));
  }
}

function nameOf({ namespace, name }: ClusterAddress): string {
  return `${namespace}/${name}`;
}
