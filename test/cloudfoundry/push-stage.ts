import { expect } from 'vitest';
import type { KubeObject } from '../../src/kube/object.ts';
import { type Answer, ApiStage } from '../golden/cloudfoundry/api-stage.ts';

/** What tests look at by name. */
export interface Body {
  readonly guid: string;
  readonly name: string;
  readonly state: string;
  readonly sequence_id: number;
  readonly url: string;
  readonly errors: readonly { readonly detail: string; readonly title: string }[];
  readonly resources: readonly Body[];
  readonly envelopes: { readonly batch: readonly Envelope[] };
  readonly result: { readonly failure_reason: string | null };
  readonly [field: string]: unknown;
}

export interface Envelope {
  readonly timestamp: string;
  readonly instance_id: string;
  readonly tags: { readonly source_type: string };
  readonly log: { readonly payload: string; readonly type: string };
}

export interface Told {
  readonly status: number;
  readonly body: Body;
  readonly location: string | null;
  readonly warnings: string | null;
}

/** The whole API on an embedded cluster with two spaces: `dev` develops in the first one and has no role in the second. */
export class PushStage implements AsyncDisposable {
  readonly stage: ApiStage;
  readonly space: string;
  readonly other: string;

  private constructor(stage: ApiStage, space: string, other: string) {
    this.stage = stage;
    this.space = space;
    this.other = other;
  }

  static async open(): Promise<PushStage> {
    const stage = await ApiStage.open();
    const made = async (path: string, body: object): Promise<string> => {
      const answer = told(await stage.send('cf-admin', 'POST', path, body as never));
      expect(answer.body).toMatchObject({ guid: expect.any(String) });
      return answer.body.guid;
    };
    const organization = { data: { guid: await made('/v3/organizations', { name: 'org' }) } };
    const space = await made('/v3/spaces', { name: 'one', relationships: { organization } });
    const other = await made('/v3/spaces', { name: 'two', relationships: { organization } });
    const user = { data: { username: 'system:serviceaccount:cf:dev' } };
    await made('/v3/roles', { type: 'organization_user', relationships: { user, organization } });
    await made('/v3/roles', { type: 'space_developer', relationships: { user, space: { data: { guid: space } } } });
    await stage.clock.advance(2_000);
    return new PushStage(stage, space, other);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
  }

  async send(method: string, path: string, body?: object, user = 'dev'): Promise<Told> {
    return told(await this.stage.send(user, method, path, body as never));
  }

  async get(path: string, user = 'dev'): Promise<Body> {
    const { status, body } = await this.send('GET', path, undefined, user);
    expect({ path, status }).toEqual({ path, status: 200 });
    return body;
  }

  async apply(manifest: string, space = this.space, user = 'dev'): Promise<Told> {
    const path = `/v3/spaces/${space}/actions/apply_manifest`;
    return told(await this.stage.send(user, 'POST', path, manifest, { 'content-type': 'application/x-yaml' }));
  }

  /** An app of the first space by its name. */
  async app(name: string): Promise<string> {
    return (await this.get(`/v3/apps?names=${name}`)).resources[0]?.guid ?? expect.fail(`there is no app ${name}`);
  }

  /** Pushes an image as the cf CLI does it, and lets it start. */
  async push(name: string, image: string): Promise<string> {
    expect((await this.apply(`applications: [{name: ${name}, docker: {image: "${image}"}}]`)).status).toBe(202);
    const guid = await this.app(name);
    const relationships = { app: { data: { guid } } };
    const source = await this.send('POST', '/v3/packages', { type: 'docker', relationships, data: { image } });
    const build = await this.send('POST', '/v3/builds', { package: { guid: source.body.guid } });
    await this.stage.clock.advance(10_000);
    const droplet = { data: { guid: build.body.guid } };
    await this.send('PATCH', `/v3/apps/${guid}/relationships/current_droplet`, droplet);
    expect((await this.send('POST', `/v3/apps/${guid}/actions/restart`)).status).toBe(200);
    await this.stage.clock.advance(30_000);
    return guid;
  }

  /** What log-cache has, a line each: `APP/PROC/WEB/0 OUT text`. */
  async logs(app: string, query = 'descending=true&limit=1000', user = 'dev'): Promise<readonly string[]> {
    const { envelopes } = await this.get(`/api/v1/read/${app}?${query}`, user);
    return envelopes.batch.map(({ tags, instance_id, log }) => {
      const text = Buffer.from(log.payload, 'base64').toString();
      return `${tags.source_type}/${instance_id} ${log.type} ${text}`;
    });
  }

  /** Everything that the spaces hold of the family's kinds and Secrets, with versions: what changes when something is written. */
  async versions(kinds: readonly { readonly type: Parameters<ApiStage['person']['resource']>[0] }[]): Promise<string> {
    const lists = await Promise.all(kinds.map(({ type }) => this.stage.person.resource<KubeObject>(type).list()));
    const seen = lists.flatMap(({ items }) =>
      items.map(
        ({ metadata }) =>
          `${metadata.uid} ${metadata.generation} ${JSON.stringify([metadata.labels, metadata.annotations])}`,
      ),
    );
    return seen.sort().join('\n');
  }
}

function told({ status, headers, body }: Answer): Told {
  const shown = (body ?? {}) as unknown as Body;
  return { status, body: shown, location: headers.get('location'), warnings: headers.get('x-cf-warnings') };
}
