import type { User } from '../../src/embedded/gate.ts';

/** Whoever runs as an account, as the API server knows it. */
export function account(namespace: string, name: string): User {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups };
}
