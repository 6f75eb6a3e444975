import type { Host } from './host.ts';
import { fullImageName, imageSize, isNowhere } from './image.ts';
import type { Timers } from './timers.ts';
import { backOff, within } from './timing.ts';

/** Who wants an image. */
export interface Puller {
  tell(type: 'Normal' | 'Warning', reason: string, message: string): void;
  /** It is there. */
  pulled(): void;
  /** It is not, for this reason. */
  waits(reason: string, message: string): void;
  /** It is time to try again. */
  again(): void;
}

/** Brings images to a node for one container, or fails to: with growing pauses between attempts. */
export class ImagePull {
  readonly #host: Host;
  readonly #timers: Timers;
  readonly #puller: Puller;
  #failures = 0;

  constructor(host: Host, timers: Timers, puller: Puller) {
    this.#host = host;
    this.#timers = timers;
    this.#puller = puller;
  }

  /** How often it has failed. */
  get failures(): number {
    return this.#failures;
  }

  succeed(image: string, always: boolean): void {
    const { images, timing, world } = this.#host;
    const known = images.has(image);
    if (known && !always) {
      this.#puller.tell('Normal', 'Pulled', `Container image "${image}" already present on machine`);
      this.#puller.pulled();
      return;
    }
    this.#puller.tell('Normal', 'Pulling', `Pulling image "${image}"`);
    const ms = known ? 50 : within(timing.pull, world.random);
    this.#timers.later(ms, () => {
      images.add(image);
      const took = ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
      const size = `Image size: ${imageSize(image)} bytes.`;
      const message = `Successfully pulled image "${image}" in ${took} (${took} including waiting). ${size}`;
      this.#puller.tell('Normal', 'Pulled', message);
      this.#puller.pulled();
    });
  }

  fail(image: string): void {
    this.#failures += 1;
    const { tell, waits, again } = this.#puller;
    const name = fullImageName(image);
    const why = `failed to pull and unpack image "${name}": failed to resolve reference "${name}": ${
      isNowhere(image) ? `dial tcp: lookup ${name.split('/')[0]}: no such host` : 'not found'
    }`;
    tell('Normal', 'Pulling', `Pulling image "${image}"`);
    this.#timers.later(within(this.#host.timing.pull, this.#host.world.random), () => {
      tell('Warning', 'Failed', `Failed to pull image "${image}": ${why}`);
      tell('Warning', 'Failed', 'Error: ErrImagePull');
      waits('ErrImagePull', why);
      this.#timers.later(2000, () => {
        tell('Normal', 'BackOff', `Back-off pulling image "${image}"`);
        tell('Warning', 'Failed', 'Error: ImagePullBackOff');
        waits('ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: ${why}`);
        this.#timers.later(backOff(this.#failures), again);
      });
    });
  }
}
