import type { CfApp } from '../../resources/cf-app.ts';
import { link, relation } from './links.ts';
import { createdAt, presentMetadata, updatedAt } from './metadata.ts';

/** An app as the CF API shows it. */
export function presentApp(app: CfApp, base: string): object {
  const { name: guid = '', namespace: space = '' } = app.metadata;
  const { displayName, desiredState, lifecycle } = app.spec;
  const self = `/v3/apps/${guid}`;
  const { buildpacks = [], stack } = lifecycle.data ?? {};
  return {
    name: displayName,
    guid,
    state: desiredState,
    created_at: createdAt(app),
    updated_at: updatedAt(app),
    relationships: {
      space: relation(space),
      current_droplet: relation(app.spec.currentDropletRef?.name || undefined),
    },
    lifecycle: { type: lifecycle.type, data: { buildpacks, ...(stack && { stack }) } },
    metadata: presentMetadata(app),
    links: {
      self: link(base, self),
      space: link(base, `/v3/spaces/${space}`),
      processes: link(base, `${self}/processes`),
      packages: link(base, `${self}/packages`),
      environment_variables: link(base, `${self}/environment_variables`),
      current_droplet: link(base, `${self}/droplets/current`),
      droplets: link(base, `${self}/droplets`),
      tasks: link(base, `${self}/tasks`),
      start: link(base, `${self}/actions/start`, 'POST'),
      stop: link(base, `${self}/actions/stop`, 'POST'),
      revisions: link(base, `${self}/revisions`),
      deployed_revisions: link(base, `${self}/revisions/deployed`),
      features: link(base, `${self}/features`),
    },
  };
}

/** Which droplet is current, as a relationship. */
export function presentCurrentDroplet(app: CfApp, base: string): object {
  const self = `/v3/apps/${app.metadata.name}`;
  return {
    ...relation(app.spec.currentDropletRef?.name || undefined),
    links: {
      self: link(base, `${self}/relationships/current_droplet`),
      related: link(base, `${self}/droplets/current`),
    },
  };
}

/** `var` of an app's environment variables. */
export function presentVariables(guid: string, variables: Readonly<Record<string, string>>, base: string): object {
  const self = `/v3/apps/${guid}`;
  return {
    var: variables,
    links: { self: link(base, `${self}/environment_variables`), app: link(base, self) },
  };
}
