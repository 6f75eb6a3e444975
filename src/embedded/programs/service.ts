import type { Pod } from '../kinds/objects/pod.ts';
import { answer } from './answer.ts';
import { parseDuration } from './duration.ts';
import type { Program } from './program.ts';

/** How long work takes that says nothing about it. */
const usualWork = 3000;

/** How often an idle service says that it is there. */
const murmurEvery = 60_000;

/**
 * Whatever nothing better is known of. In a pod that is always restarted it is a service: it answers on its declared
 * ports and runs until it is stopped. In a pod that may end, or before the others of its pod, it is work: it ends with
 * success after the time that the annotation `embedded.cutover.dev/duration` names, or a few seconds.
 */
export const service: Program = {
  name: 'service',
  runs: () => true,
  start(here) {
    const { container, pod, clock } = here;
    const endless = isEndless(pod, container.name);
    const asked = parseDuration(pod.metadata.annotations?.['embedded.cutover.dev/duration'] ?? '');
    here.print(`${container.name}: started ${[container.image, ...here.argv].join(' ')}`);
    const finish = (): void => {
      here.print(`${container.name}: done`);
      here.exit(0);
    };
    const duration = asked ?? (endless ? Number.POSITIVE_INFINITY : usualWork);
    let cancel = Number.isFinite(duration) ? clock.after(duration, finish) : (): void => {};
    return {
      stop() {
        here.print(`${container.name}: received SIGTERM, shutting down`);
        cancel();
        cancel = clock.after(100 + here.random.next() * 400, () => here.exit(0));
      },
      kill: () => cancel(),
      respond(port, request) {
        if (!container.ports?.some((one) => one.containerPort === port)) return undefined;
        const text = JSON.stringify({ pod: pod.metadata.name, container: container.name, path: request.path });
        return Promise.resolve(answer(200, 'application/json', `${text}\n`));
      },
      ...(endless && {
        murmur: { everyMs: murmurEvery, line: (count: number) => `${container.name}: still running, ${count} min` },
      }),
    };
  },
};

/** Whether a container runs until it is stopped: an init container does only as a sidecar. */
function isEndless({ spec }: Pod, name: string): boolean {
  const init = spec.initContainers?.find((container) => container.name === name);
  return (init ? init.restartPolicy : (spec.restartPolicy ?? 'Always')) === 'Always';
}

/** The container that holds a pod's network: does nothing, says nothing. */
export const pause: Program = {
  name: 'pause',
  runs: (image) => /(^|\/)pause(:|@|$)/.test(image),
  start: ({ exit }) => ({ stop: () => exit(0), kill: () => {} }),
};
