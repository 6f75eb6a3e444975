import { readFile } from 'node:fs/promises';
import type { Clock } from '../../clock/clock.ts';
import { KubeError } from '../error.ts';
import type { Identity, IdentitySource } from '../identity.ts';
import { firstLine } from './kubeconfig-error.ts';

/** How long a token is used before the file is read again. Kubelets renew tokens long before they expire. */
const freshMs = 60_000;

/**
 * A bearer token that someone else keeps renewing in a file. It is read again every minute and after a 401; when it
 * cannot be read, the last one serves on.
 */
export function fileTokenIdentity(
  path: string,
  { fixed = {}, clock }: { readonly fixed?: Identity; readonly clock: Clock },
): IdentitySource {
  let known: Identity | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  const read = async (): Promise<Identity> => {
    const token = (await readFile(path, 'utf8')).trim();
    if (token === '') throw new Error('the file is empty');
    return { ...fixed, authorization: `Bearer ${token}` };
  };

  return {
    async current() {
      if (known && clock.monotonic() - readAt < freshMs) return known;
      try {
        const fresh = await read();
        if (fresh.authorization !== known?.authorization) known = fresh;
      } catch (error) {
        if (!known) throw new KubeError('unreachable', `token file ${path}: ${firstLine(error)}`, { cause: error });
      }
      readAt = clock.monotonic();
      return known ?? fixed;
    },
    rejected() {
      readAt = Number.NEGATIVE_INFINITY;
      return true;
    },
  };
}
