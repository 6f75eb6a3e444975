import type { KubeObject } from '../../kube/object.ts';
import { cfApp } from '../resources/cf-app.ts';
import { cfBuild } from '../resources/cf-build.ts';
import { cfDomain } from '../resources/cf-domain.ts';
import { cfOrg } from '../resources/cf-org.ts';
import { cfPackage } from '../resources/cf-package.ts';
import { cfRoute } from '../resources/cf-route.ts';
import { cfSpace } from '../resources/cf-space.ts';
import { CfError, notFound } from './cf-error.ts';
import type { Caller, CfContext, CfRoutes, Platform } from './platform.ts';
import { conditionOf } from './present/condition-of.ts';
import { link } from './present/links.ts';
import { type CfKind, readAs } from './read-as.ts';

/** What is deleted in the background, and how its object is read. */
const deleted: Readonly<Record<string, CfKind>> = {
  'app.delete': cfApp,
  'org.delete': cfOrg,
  'space.delete': cfSpace,
  'domain.delete': cfDomain,
  'route.delete': cfRoute,
  'droplet.delete': cfBuild,
  'package.delete': cfPackage,
};

/** What is done when it is answered; the job says so. */
const done = new Set(['space.apply_manifest', 'space.delete_unmapped_routes', 'role.delete']);

/** After this long a deletion is not slow but stuck, and whoever waits should hear why. */
const stuckAfterMs = 10 * 60_000;

/** The answer to a request whose work goes on: 202, and where to ask how it stands. */
export function jobOf(c: CfContext, operation: string, object: KubeObject): Response {
  return jobNamed(c, operation, object.metadata.name ?? '');
}

export function jobNamed(c: CfContext, operation: string, guid: string): Response {
  c.header('location', `${c.var.base}/v3/jobs/${operation}~${guid}`);
  return c.body(null, 202);
}

/**
 * Jobs. Nothing is stored: a job's name says what is waited for, and the object itself how far it is. What the caller cannot
 * see is gone, as far as he is concerned.
 */
export const jobs: CfRoutes = (api, platform) => {
  api.get('/v3/jobs/:guid', async (c) => {
    const guid = c.req.param('guid');
    const [operation = '', subject = ''] = guid.split('~', 2);
    const kind = Object.hasOwn(deleted, operation) ? deleted[operation] : undefined;
    if (!subject || (!kind && !done.has(operation))) throw notFound('Job');
    const outcome = kind ? await deletion(platform, c.var.caller, kind, subject) : { state: 'COMPLETE', errors: [] };
    const place = operation.startsWith('space.apply') ? { space: link(c.var.base, `/v3/spaces/${subject}`) } : {};
    const links = { self: link(c.var.base, `/v3/jobs/${guid}`), ...place };
    return c.json({ guid, errors: outcome.errors, operation, state: outcome.state, links });
  });
};

interface Outcome {
  readonly state: 'PROCESSING' | 'COMPLETE' | 'FAILED';
  readonly errors: readonly object[];
}

async function deletion(platform: Platform, caller: Caller, kind: CfKind, guid: string): Promise<Outcome> {
  const object = await stillThere(platform, caller, kind, guid);
  if (!object) return { state: 'COMPLETE', errors: [] };
  const { deletionTimestamp } = object.metadata;
  if (!deletionTimestamp) throw notFound('Job');
  const ms = platform.clock.now() - Date.parse(deletionTimestamp);
  if (ms < stuckAfterMs) return { state: 'PROCESSING', errors: [] };
  const why = conditionOf((object as { status?: Parameters<typeof conditionOf>[0] }).status, 'Ready')?.message;
  const detail = `${kind.type.kind} ${guid} has been deleted for ${Math.floor(ms / 60_000)} minutes and is still there${why ? `: ${why}` : ''}`;
  return { state: 'FAILED', errors: [{ detail, title: 'CF-UnprocessableEntity', code: 10008 }] };
}

async function stillThere(
  platform: Platform,
  caller: Caller,
  kind: CfKind,
  guid: string,
): Promise<KubeObject | undefined> {
  try {
    return await readAs<KubeObject>(platform, caller, kind, guid, 'Job');
  } catch (error) {
    if (error instanceof CfError && error.status === 404) return undefined;
    throw error;
  }
}
