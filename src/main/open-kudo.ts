import { randomBytes } from 'node:crypto';
import type { Caches } from '../control/caches.ts';
import type { Common, Running } from './running.ts';

export interface KudoRun {
  /** The image of the container that waits in the pods of Pipe tasks. */
  readonly waiterImage?: string;
  /** The only namespaces that are looked at; absent or empty: all. */
  readonly namespaces?: readonly string[];
}

/** KUDO's own choice. */
const usualWaiter = 'busybox';

export async function openKudo(
  { client }: Common,
  { waiterImage = usualWaiter, namespaces = [] }: KudoRun,
): Promise<Running> {
  const [{ kudoControllers }, { sealer }] = await Promise.all([
    import('../kudo/controllers.ts'),
    import('../control/sealed.ts'),
  ]);
  let seen: Caches | undefined;
  return {
    family: async () => (await import('../kudo/family.ts')).kudoFamily,
    controllers: kudoControllers({ client, seal: sealer(randomBytes(32)), randomBytes, waiterImage, namespaces }),
    namespaces,
    hooks: async () => {
      const { kudoHooks } = await import('../kudo/admission/kudo-hooks.ts');
      return kudoHooks({ client, caches: () => seen });
    },
    onCaches: (caches) => {
      seen = caches;
    },
    close: async () => undefined,
  };
}
