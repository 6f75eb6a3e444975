import { answer } from './answer.ts';
import { imageName } from './image-name.ts';
import type { Program, Surroundings } from './program.ts';

const images = ['nginx', 'httpd', 'caddy', 'whoami', 'hello-world-web', 'http-echo', 'echoserver', 'hello-app'];

/** A web server as in every tutorial: says hello on its ports, answers health checks, and ends when asked. */
export const webServer: Program = {
  name: 'web server',
  runs: (image, argv) => images.includes(imageName(image)) && !/(^|\/)(ba)?sh$/.test(argv[0] ?? ''),
  start(here) {
    const ports = portsOf(here);
    here.print(`${imageName(here.container.image ?? '')}: start worker processes`);
    here.print(`${imageName(here.container.image ?? '')}: listening on ${ports.join(', ')}`);
    let end: (() => void) | undefined;
    return {
      stop() {
        here.print('signal 15 (SIGTERM) received, exiting');
        end ??= here.clock.after(50, () => here.exit(0));
      },
      kill: () => end?.(),
      respond(port, request) {
        if (!ports.includes(port)) return undefined;
        const path = request.path.split('?')[0] ?? '/';
        here.print(`"${request.method} ${request.path} HTTP/1.1" 200`);
        const name = here.pod.metadata.name ?? '';
        const body = `Hello from ${name}\nimage: ${here.container.image}\npath: ${path}\n`;
        return Promise.resolve(answer(200, 'text/plain; charset=utf-8', body));
      },
    };
  },
};

/** The ports a container declares; 80 for one that declares none. */
function portsOf({ container }: Surroundings): readonly number[] {
  const ports = (container.ports ?? []).map((port) => port.containerPort);
  return ports.length > 0 ? ports : [80];
}
