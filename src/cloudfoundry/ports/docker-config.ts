import * as z from 'zod';

/** A user of a registry, as `Authorization: Basic` has it. */
export type BasicAuth = string;

const entry = z.object({
  auth: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
});
const entries = z.record(z.string(), entry);
const config = z.union([z.object({ auths: entries }), entries]);

/** Under which a client's own configuration keeps the hub. */
const hubKeys = ['https://index.docker.io/v1/', 'index.docker.io', 'registry-1.docker.io'];

/**
 * Who a `.dockerconfigjson` (or the older `.dockercfg`) says one is at a registry. What cannot be read names nobody: an
 * image may well be readable without.
 */
export function registryUser(dockerConfig: string, host: string): BasicAuth | undefined {
  const users = usersIn(dockerConfig);
  const keys = host === 'docker.io' ? [host, ...hubKeys] : [host];
  for (const [key, user] of Object.entries(users)) {
    const named = key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
    if (!keys.includes(key) && !keys.includes(named)) continue;
    const auth = user.auth?.replace(/\s+/g, '');
    // Tools break base64 into lines. What is none at all could not be sent.
    if (auth && /^[\w+/=-]+$/.test(auth)) return auth;
    if (user.username !== undefined && user.password !== undefined) {
      return Buffer.from(`${user.username}:${user.password}`, 'utf8').toString('base64');
    }
  }
  return undefined;
}

function usersIn(text: string): z.infer<typeof entries> {
  try {
    const { success, data } = config.safeParse(JSON.parse(text));
    if (!success) return {};
    return 'auths' in data ? (data.auths as z.infer<typeof entries>) : (data as z.infer<typeof entries>);
  } catch {
    return {};
  }
}
