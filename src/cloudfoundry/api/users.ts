import type { RoleBinding } from './directory.ts';
import { type ListRules, listOf, listQuery } from './list.ts';
import { readOrg } from './organizations.ts';
import type { CfContext, CfRoutes } from './platform.ts';
import { presentUser } from './present/role.ts';
import { roleOf } from './role-bindings.ts';
import { bindingsOf } from './roles.ts';
import { readSpace } from './spaces.ts';

const rules: ListRules = {
  keys: ['usernames', 'guids', 'order_by', 'per_page', 'page'],
  also: ['origins', 'partial_usernames', 'label_selector'],
};

/**
 * Users are Kubernetes': whoever is asked for by name exists, as far as anybody here can tell. Of an organization or a space
 * those are known who have a role there.
 */
export const users: CfRoutes = (api, platform) => {
  api.get('/v3/users', (c) => {
    const query = listQuery(c, rules);
    const names = query.values('usernames') ?? query.values('guids') ?? [];
    return c.json(
      listOf(
        c,
        [...new Set(names)].map((name) => presentUser(name, c.var.base)),
        query,
      ),
    );
  });

  api.get('/v3/users/:guid', (c) => c.json(presentUser(c.req.param('guid'), c.var.base)));

  api.get('/v3/organizations/:guid/users', async (c) => {
    const org = await readOrg(platform, c.var.caller, c.req.param('guid'));
    return listed(c, await bindingsOf(platform, c.var.caller, { orgs: [org.metadata.name ?? ''] }));
  });

  api.get('/v3/spaces/:guid/users', async (c) => {
    const space = await readSpace(platform, c.var.caller, c.req.param('guid'));
    return listed(c, await bindingsOf(platform, c.var.caller, { spaces: [space.metadata.name ?? ''] }));
  });
};

function listed(c: CfContext, bindings: readonly RoleBinding[]): Response {
  const query = listQuery(c, rules);
  const wanted = query.values('usernames') ?? query.values('guids');
  const names = [...new Set(bindings.flatMap((binding) => roleOf(binding)?.user ?? []))];
  const found = wanted ? names.filter((name) => wanted.includes(name)) : names;
  return c.json(
    listOf(
      c,
      found.map((name) => presentUser(name, c.var.base)),
      query,
    ),
  );
}
