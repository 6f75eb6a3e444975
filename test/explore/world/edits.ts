import type { FlinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { JobSpec } from '../../../src/flink/resources/job-spec.ts';
import { put, removed, rewritten } from './server.ts';
import type { Happening } from './surroundings.ts';
import { type Acted, type Cluster, trafficOf, type World } from './world.ts';

type Spec = FlinkBlueGreenDeployment['spec'];

/** Something a person may do. Not offered where it would change nothing. */
type Edit = (world: World, first: Spec) => Happening | undefined;

/** All that people do here, by the name that settings and traces use. */
export const edits = {
  image: spec('changes the image', (now) => template(now, { image: 'flink:2' })),
  'another image': spec('changes the image again', (now) => template(now, { image: 'flink:3' })),
  'image taken back': spec('takes the image back', (now, first) =>
    template(now, { image: first.template?.spec?.image ?? '' }),
  ),
  'all taken back': spec('takes everything back', (_, first) => first),
  'small change': spec('changes something that needs no restart', (now) => job(now, { savepointTriggerNonce: 1 })),
  suspend: spec('suspends the job', (now) => job(now, { state: 'suspended' })),
  resume: spec('resumes the job', (now) => job(now, { state: 'running' })),
  'no state': spec('sets upgradeMode to stateless', (now) => job(now, { upgradeMode: 'stateless' })),
  'savepoint nonce': spec('changes savepointRedeployNonce', (now, _, acted) => {
    const savepointRedeployNonce = unused(now.template?.spec?.job?.savepointRedeployNonce, acted.savepoint);
    return job(now, { savepointRedeployNonce, initialSavepointPath: usersPath(savepointRedeployNonce) });
  }),
  'stateless nonce': spec('changes statelessRedeployNonce', (now, _, acted) =>
    job(now, { statelessRedeployNonce: unused(now.template?.spec?.job?.statelessRedeployNonce, acted.stateless) }),
  ),
  'image and suspend': spec('changes the image and suspends the job', (now) =>
    job(template(now, { image: 'flink:2' }), { state: 'suspended' }),
  ),
  'stateless nonce and suspend': spec('changes statelessRedeployNonce and suspends the job', (now, _, acted) =>
    job(now, {
      state: 'suspended',
      statelessRedeployNonce: unused(now.template?.spec?.job?.statelessRedeployNonce, acted.stateless),
    }),
  ),
  'ingress off': spec('removes the ingress', ({ ingress: _, ...now }) => now),
  'ingress on': spec('asks for an ingress', (now, first) => ({ ...now, ingress: first.ingress ?? usersIngress })),
  'delete the serving side': deletion('deletes the side that serves', (cluster) => trafficOf(cluster)),
  'delete the other side': deletion('deletes the side that does not serve', (cluster) =>
    trafficOf(cluster) === 'BLUE' ? 'GREEN' : 'BLUE',
  ),
  promote: annotation('promotes the transition', 'cutover.dev/promote'),
  rollback: annotation('rolls the transition back', 'cutover.dev/rollback'),
  'delete the resource': ({ cluster, counter, now }) => {
    const { resource } = cluster;
    if (!resource || resource.metadata.deletionTimestamp) return undefined;
    // In the foreground: it stays until what belongs to it is gone.
    const metadata = { ...resource.metadata, deletionTimestamp: new Date(now).toISOString() };
    const leaving = rewritten(resource, { ...resource, metadata }, counter);
    return { says: 'the user deletes the resource', cluster: put(cluster, leaving), counter: counter + 1 };
  },
} satisfies Readonly<Record<string, Edit>>;

export type EditName = keyof typeof edits;

/** Where the state lies that a value of `savepointRedeployNonce` asks for. */
export function usersPath(nonce: number): string {
  return `s3://mine/${nonce}`;
}

export const usersIngress = { template: '{{name}}.example.com' };

function spec(says: string, change: (now: Spec, first: Spec, acted: Acted) => Spec): Edit {
  return ({ cluster, counter, ghost }, first) => {
    const { resource } = cluster;
    if (!resource || resource.metadata.deletionTimestamp) return undefined;
    const after = change(resource.spec, first, ghost.acted);
    if (JSON.stringify(after) === JSON.stringify(resource.spec)) return undefined;
    const written = rewritten(resource, { ...resource, spec: after }, counter);
    return { says: `the user ${says}`, cluster: put(cluster, written), counter: counter + 1 };
  };
}

/** A value that the nonce has not had. */
function unused(now = 0, acted = 0): number {
  return Math.max(now, acted) + 1;
}

function template(now: Spec, change: Partial<NonNullable<NonNullable<Spec['template']>['spec']>>): Spec {
  return { ...now, template: { ...now.template, spec: { ...now.template?.spec, ...change } } };
}

function job(now: Spec, change: Partial<JobSpec>): Spec {
  return template(now, { job: { ...now.template?.spec?.job, ...change } });
}

function deletion(says: string, which: (cluster: Cluster) => 'BLUE' | 'GREEN' | undefined): Edit {
  return (world) => {
    const color = which(world.cluster);
    const object = color && world.cluster.sides[color]?.object;
    if (!object || object.metadata.deletionTimestamp) return undefined;
    const answer = removed(world, object);
    return answer.ok ? { says: `the user ${says}`, ...answer } : undefined;
  };
}

function annotation(says: string, name: string): Edit {
  return ({ cluster, counter }) => {
    const { resource } = cluster;
    const id = resource?.status?.transition?.id;
    if (!resource || id === undefined || resource.metadata.annotations?.[name] === id) return undefined;
    const metadata = { ...resource.metadata, annotations: { ...resource.metadata.annotations, [name]: id } };
    const written = rewritten(resource, { ...resource, metadata }, counter);
    return { says: `the user ${says}`, cluster: put(cluster, written), counter: counter + 1 };
  };
}
