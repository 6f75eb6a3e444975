import { isKubeError } from '../../kube/error.ts';
import { type BuilderInfo, builderInfo } from '../resources/builder-info.ts';
import { cfErrorOf } from './kube-trouble.ts';
import { listOf, listQuery } from './list.ts';
import type { Caller, CfRoutes, Platform } from './platform.ts';
import { presentBuildpack, presentStack } from './present/offer.ts';

const keys = ['names', 'order_by', 'per_page', 'page'];

/** What the builder offers: `/v3/buildpacks` and `/v3/stacks`. Without a builder they are empty, which is no error. */
export const offerRoutes: CfRoutes = (api, platform) => {
  api.get('/v3/buildpacks', async (c) => {
    const query = listQuery(c, {
      keys,
      also: ['stacks', 'lifecycle', 'label_selector'],
      orderBy: { position: () => '' },
    });
    const names = query.values('names');
    const { buildpacks = [] } = await builder(platform, c.var.caller);
    const shown = buildpacks.map((offer, at) => ({ offer, position: at + 1 }));
    const wanted = shown.filter(({ offer }) => !names || names.includes(offer.name));
    const resources = wanted.map(({ offer, position }) => presentBuildpack(offer, position));
    return c.json(listOf(c, resources, query));
  });

  api.get('/v3/stacks', async (c) => {
    const query = listQuery(c, { keys, also: ['default', 'label_selector'], orderBy: { name: () => '' } });
    const names = query.values('names');
    const { stacks = [] } = await builder(platform, c.var.caller);
    const wanted = stacks.filter(({ name }) => !names || names.includes(name));
    const resources = wanted.map((offer) => presentStack(offer, c.var.base));
    return c.json(listOf(c, resources, query));
  });
};

async function builder({ settings }: Platform, caller: Caller): Promise<NonNullable<BuilderInfo['status']>> {
  const { rootNamespace: namespace, builderName: name } = settings;
  try {
    return (await caller.client.resource<BuilderInfo>(builderInfo.type).get({ namespace, name })).status ?? {};
  } catch (error) {
    if (isKubeError(error, 'not-found', 'forbidden')) return {};
    throw cfErrorOf(error, { verb: 'read', label: 'Builder' });
  }
}
