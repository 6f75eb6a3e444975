import { expect } from 'vitest';
import type { Json } from '../../../src/kube/object.ts';
import type { Answer, ApiStage } from './api-stage.ts';
import { type Deviation, deviations } from './compare.ts';
import { differences } from './differences.ts';
import { Placeholders } from './placeholders.ts';
import { recording } from './recording.ts';

interface Found extends Deviation {
  readonly recording: string;
}

/** Recordings that are played on a stage, and how its answers differ. */
export class Played {
  readonly stage: ApiStage;
  readonly placeholders = new Placeholders();
  readonly #found: Found[] = [];
  readonly #names: string[] = [];

  constructor(stage: ApiStage) {
    this.stage = stage;
    this.placeholders.bind('<api-host>', 'api.example');
  }

  /** Sends the recorded requests, one after the other. Every difference of an answer must be listed. */
  async play(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.#one(name);
  }

  /** A request that was made between the recordings. Placeholders in it are filled. */
  async send(user: string, method: string, path: string, body?: Json): Promise<Answer> {
    const { placeholders, stage } = this;
    const sent = body === undefined ? undefined : placeholders.fillAll(body);
    return await stage.send(user, method, placeholders.fill(path), sent);
  }

  /** As `send`, of something that is made: `placeholder` stands for its GUID from now on. */
  async make(placeholder: string, path: string, body: Json, user = 'cf-admin'): Promise<string> {
    const answer = await this.send(user, 'POST', path, body);
    const { guid } = (answer.body ?? {}) as { readonly guid?: string };
    if (answer.status !== 201 || !guid) expect.fail(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    this.placeholders.bind(placeholder, guid);
    return guid;
  }

  /** Both organizations of the recordings, with a space each. */
  async twoSpaces(): Promise<void> {
    for (const [org, orgName, space, spaceName] of [
      ['<org-guid>', 'demo', '<space-guid>', 'dev'],
      ['<org-org1-guid>', 'org1', '<space-space1-guid>', 'space1'],
    ] as const) {
      await this.make(org, '/v3/organizations', { name: orgName });
      const relationships = { organization: { data: { guid: org } } };
      await this.make(space, '/v3/spaces', { name: spaceName, relationships });
    }
  }

  /** Fails on every difference since the last call that is not listed, and on what is listed for it and did not occur. */
  expectListed(): void {
    const found = this.#found.splice(0);
    const names = this.#names.splice(0);
    const listed = differences.filter((one) => one.recording === '*' || names.includes(one.recording));
    const matches = (one: (typeof listed)[number], other: Found) =>
      (one.recording === '*' || one.recording === other.recording) && one.where.test(other.where);
    const unlisted = found.filter((one) => !listed.some((entry) => matches(entry, one)));
    const named = listed.filter((one) => one.recording !== '*');
    const stale = named.filter((entry) => !found.some((one) => matches(entry, one)));
    const told = unlisted.map(
      ({ recording: name, where, recorded, actual }) => `${name} ${where}: ${recorded} → ${actual}`,
    );
    expect(told, 'differences that are not listed').toEqual([]);
    expect(stale, 'listed differences that no longer occur').toEqual([]);
  }

  async #one(name: string): Promise<void> {
    const { request, status, headers, body } = recording(name);
    const { placeholders, stage } = this;
    this.#names.push(name);
    const sent = request.body === undefined ? undefined : placeholders.fillAll(request.body);
    const type = request.content_type ? { 'content-type': request.content_type } : {};
    const answer = await stage.send(request.user, request.method, placeholders.fill(request.path), sent, type);
    const shown = {
      status: answer.status,
      headers: Object.fromEntries(
        [...new Set(['location', 'x-cf-warnings', ...Object.keys(headers)])].flatMap((key) => {
          const value = answer.headers.get(key);
          return value === null ? [] : [[key, value]];
        }),
      ),
      body: answer.body,
    };
    const found = deviations({ status, headers, body }, shown, placeholders, '');
    this.#found.push(...found.map((one) => ({ recording: name, ...one, where: one.where.slice(1) })));
  }
}
