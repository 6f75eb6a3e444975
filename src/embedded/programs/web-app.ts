import { answer } from './answer.ts';
import type { Program, Surroundings } from './program.ts';

const images = [/(^|\/)sample-app(:|@|$)/, /^rig\.local\/app(:|@|$)/];

/**
 * An app as developers push it: it listens where `PORT` says, says hello with the name of its instance, logs each request,
 * and answers to the end of those it has when it is asked to stop. With `CRASH` in its environment it exits with that code
 * instead.
 */
export const webApp: Program = {
  name: 'web app',
  runs: (image, argv) => images.some((pattern) => pattern.test(image)) && !/(^|\/)(ba)?sh$/.test(argv[0] ?? ''),
  start(here) {
    const { env } = here;
    const port = Number(env.PORT ?? 8080);
    const host = env.HOSTNAME ?? '';
    if (env.CRASH !== undefined) {
      here.print(`fatal: told to crash with ${env.CRASH}`, 'stderr');
      const cancel = here.clock.after(200, () => here.exit(Number(env.CRASH) || 1));
      return { stop: () => here.exit(143), kill: cancel };
    }
    here.print(`app listening on ${port} as ${host}`);
    let end: (() => void) | undefined;
    return {
      stop() {
        here.print('received SIGTERM, no new connections');
        end ??= here.clock.after(50, () => here.exit(0));
      },
      kill: () => end?.(),
      listens: (asked) => asked === port,
      respond(asked, { method, path }) {
        if (asked !== port) return undefined;
        const [where = '/'] = path.split('?');
        if (where === '/ready') return Promise.resolve(answer(200, 'text/plain; charset=utf-8', 'ok\n'));
        here.print(`${method} ${where}`);
        if (where === '/missing') return Promise.resolve(answer(404, 'text/plain; charset=utf-8', 'not found\n'));
        if (where === '/info')
          return Promise.resolve(answer(200, 'application/json', `${JSON.stringify(info(here))}\n`));
        return Promise.resolve(answer(200, 'text/plain; charset=utf-8', `hello from ${host}\n`));
      },
    };
  },
};

/** Which instance answers, of what. */
function info({ env, container }: Surroundings): object {
  return { image: container.image, index: env.CF_INSTANCE_INDEX, instance: env.CF_INSTANCE_GUID, name: env.HOSTNAME };
}
