import { untold } from '../oracles/secrecy.ts';

const header = 'kubernetes.operator.user.artifacts.http.header';

/** Settings of a session job that nobody is told; each `version` has others. */
export function tokenOf(version: string): Readonly<Record<string, string>> {
  return { [header]: `Authorization:Bearer ${untold}token-${version}` };
}

/** Settings of a cluster that nobody is told: a key of a file system, a variable of its pods, the header that jars are fetched with. */
export function tokensOf(version: string): Readonly<Record<string, string>> {
  return {
    ...tokenOf(version),
    's3.secret-key': `${untold}key-${version}`,
    'containerized.master.env.LICENCE': `${untold}licence-${version}`,
  };
}
