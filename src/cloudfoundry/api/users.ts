import { type ListRules, listOf, listQuery } from './list.ts';
import type { CfRoutes } from './platform.ts';
import { presentUser } from './present/role.ts';

const rules: ListRules = {
  keys: ['usernames', 'guids', 'order_by', 'per_page', 'page'],
  also: ['origins', 'partial_usernames', 'label_selector'],
};

/** Users are Kubernetes': whoever is asked for by name exists, as far as anybody here can tell. */
export const users: CfRoutes = (api) => {
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
};
