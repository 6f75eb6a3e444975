import { expect } from 'vitest';
import { cloudFoundryHooks } from '../../src/cloudfoundry/admission/hooks.ts';
import { cloudFoundryFamily } from '../../src/cloudfoundry/family.ts';
import { processGuid } from '../../src/cloudfoundry/names.ts';
import { cloudFoundryKinds } from '../../src/cloudfoundry/resources/all.ts';
import { cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfBuild } from '../../src/cloudfoundry/resources/cf-build.ts';
import { cfDeployment } from '../../src/cloudfoundry/resources/cf-deployment.ts';
import { cfDomain } from '../../src/cloudfoundry/resources/cf-domain.ts';
import { cfOrg } from '../../src/cloudfoundry/resources/cf-org.ts';
import { cfPackage } from '../../src/cloudfoundry/resources/cf-package.ts';
import { cfProcess } from '../../src/cloudfoundry/resources/cf-process.ts';
import { cfRoute } from '../../src/cloudfoundry/resources/cf-route.ts';
import { cfSpace } from '../../src/cloudfoundry/resources/cf-space.ts';
import { cfTask } from '../../src/cloudfoundry/resources/cf-task.ts';
import { bumpedAtDeployment } from '../../src/cloudfoundry/revision.ts';
import type { Condition } from '../../src/control/conditions.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Kind } from '../../src/schema/kind.ts';
import { StagingStage, space } from '../cloudfoundry/staging-stage.ts';
import { admitted } from './admitted.ts';
import type { Declared, Ground, Sample, Standing } from './ground.ts';
import { laneState } from './lane-state.ts';
import { wordsOf } from './standing.ts';

const types = cloudFoundryKinds.map(({ type }) => type);
const image = 'app:1';
const docker = { type: 'docker' };

/** What differs between the kinds of Cloud Foundry. */
interface Terms {
  readonly kind: Kind;
  readonly how: Ground['how'];
  readonly namespace?: string;
  readonly name?: (lane: string) => string;
  readonly spec: (lane: string) => object;
  readonly samples: readonly Sample[];
  readonly declared?: readonly Declared[];
  readonly prepare?: (stage: StagingStage, lane: string) => Promise<void>;
  /** The app that has to be restarted before an edit holds: environment, droplet, command and sizes are those of its revision. */
  readonly restarts?: (lane: string) => string;
  readonly spokenOf?: Ground['spokenOf'];
}

const fixed = (operations: RegExp): Declared => ({
  operations,
  problem: /^refused at admission, and realised/,
  why: 'what never changes is guarded by the webhook alone: without it nobody knows what was there before.',
});

const unique: Declared = {
  operations: /, then /,
  problem: /already exists|^after another edit .* became refused/,
  why: 'that a name is taken is told by the webhook alone: two that have it are both left as they are.',
};

export function openCloudFoundry(): Promise<StagingStage> {
  return StagingStage.open();
}

/** Every kind of Cloud Foundry that people or programs write. */
export function cloudFoundryGrounds(stage: StagingStage, lanes: number): readonly Ground[] {
  return terms.map((one) => groundOf(stage, one, lanes));
}

const terms: readonly Terms[] = [
  {
    kind: cfOrg,
    how: 'edit',
    namespace: 'cf',
    spec: (lane) => ({ displayName: lane }),
    samples: [{ name: 'name', spec: { displayName: 'another-name' } }],
  },
  {
    kind: cfSpace,
    how: 'edit',
    namespace: 'org-1',
    spec: (lane) => ({ displayName: lane }),
    samples: [{ name: 'name', spec: { displayName: 'another-name' } }],
  },
  {
    kind: cfDomain,
    how: 'create',
    namespace: 'cf',
    spec: (lane) => ({ name: `${lane}.example` }),
    samples: [{ name: 'name', spec: { name: 'other.example' } }],
  },
  {
    kind: cfApp,
    how: 'edit',
    spec: (lane) => ({
      displayName: lane,
      desiredState: 'STARTED',
      lifecycle: docker,
      currentDropletRef: { name: `${lane}-droplet` },
    }),
    samples: [
      { name: 'stopped', spec: { desiredState: 'STOPPED', displayName: 'another' } },
      { name: 'lifecycle', spec: { lifecycle: { data: { buildpacks: ['java'], stack: 'jammy' } } } },
      { name: 'environment', spec: { envSecretName: 'cfapp0-environment' } },
    ],
    declared: [fixed(/lifecycle\.type/)],
    restarts: (lane) => lane,
    prepare: async (stage, lane) => {
      await stage.apply({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: `${lane}-environment`, namespace: space },
      });
      await droplet(stage, `${lane}-droplet`, lane);
    },
  },
  {
    kind: cfProcess,
    how: 'edit',
    name: (lane) => processGuid(`${lane}-app`, 'web'),
    spec: (lane) => ({
      appRef: { name: `${lane}-app` },
      processType: 'web',
      desiredInstances: 1,
      memoryMB: 1024,
      diskQuotaMB: 1024,
    }),
    samples: [
      { name: 'commands', spec: { command: 'sleep 1000', detectedCommand: 'sleep 2000', ports: [8081] } },
      {
        name: 'health',
        spec: {
          healthCheck: {
            type: 'http',
            data: { httpEndpoint: '/health', invocationTimeoutSeconds: 2, timeoutSeconds: 30 },
          },
        },
      },
      { name: 'size', spec: { desiredInstances: 2, memoryMB: 128, diskQuotaMB: 256 } },
    ],
    declared: [fixed(/processType/)],
    restarts: (lane) => `${lane}-app`,
    spokenOf: [
      // CPU is given in proportion to memory, so either may be what nodes lack.
      { about: /MB$/, words: /Unschedulable: .*Insufficient/ },
      // What a command does is to run; that it ends is all that anybody can say of it.
      { about: /command$/i, words: /instance \d+: CrashLoopBackOff: exited with code \d+/ },
    ],
    prepare: app,
  },
  {
    kind: cfRoute,
    how: 'edit',
    spec: (lane) => ({
      host: lane,
      domainRef: { name: 'default-domain', namespace: 'cf' },
      destinations: [{ guid: `${lane}-to`, appRef: { name: 'app' }, processType: 'web' }],
    }),
    samples: [
      {
        name: 'destinations',
        spec: {
          destinations: [
            { guid: 'cfroute0-other', appRef: { name: 'app' }, processType: 'web', port: 9090, protocol: 'http1' },
          ],
        },
      },
      { name: 'protocol', spec: { protocol: 'http' } },
    ],
    declared: [fixed(/spec\.(host|path|protocol|domainRef)/)],
  },
  {
    kind: cfPackage,
    how: 'create',
    spec: (lane) => ({ type: 'docker', appRef: { name: `${lane}-app` }, source: { registry: { image } } }),
    samples: [
      { name: 'pull secret', spec: { source: { registry: { image, imagePullSecrets: [{ name: 'registry' }] } } } },
    ],
    prepare: app,
  },
  {
    kind: cfBuild,
    how: 'create',
    spec: (lane) => ({ packageRef: { name: `${lane}-package` }, appRef: { name: `${lane}-app` }, lifecycle: docker }),
    samples: [
      { name: 'amounts', spec: { stagingMemoryMB: 512, stagingDiskMB: 512 } },
      { name: 'lifecycle', spec: { lifecycle: { data: { buildpacks: ['java'], stack: 'jammy' } } } },
    ],
    declared: [
      {
        operations: /lifecycle/,
        problem: /BuilderNotInstalled/,
        why: 'no builder of buildpacks is installed here; what is told names the builder and not the field.',
      },
    ],
    prepare: app,
  },
  {
    kind: cfTask,
    how: 'create',
    spec: (lane) => ({ appRef: { name: `${lane}-app` }, command: 'sleep 5' }),
    samples: [
      { name: 'amounts', spec: { name: 'migrate', memoryMB: 64, diskQuotaMB: 128 } },
      { name: 'droplet', spec: { dropletRef: { name: 'cftask0-droplet' } } },
      { name: 'canceled', spec: { canceled: true } },
    ],
    prepare: app,
  },
  {
    kind: cfDeployment,
    how: 'create',
    spec: (lane) => ({
      appRef: { name: `${lane}-app` },
      strategy: 'rolling',
      dropletRef: { name: `${lane}-droplet` },
      maxInFlight: 1,
      step: 1,
    }),
    samples: [
      { name: 'canary', spec: { strategy: 'canary', steps: [{ instanceWeight: 50 }], maxInFlight: 2 } },
      { name: 'previous', spec: { previousDropletRef: { name: 'other' } } },
    ],
    declared: [
      {
        operations: /./,
        problem: /It was never begun/,
        why: 'the API makes it together with a mark on its app; one that is made by hand is told to have never begun, whatever it says.',
      },
    ],
    prepare: app,
  },
];

/** A running app with its package and droplet. */
async function app(stage: StagingStage, lane: string): Promise<void> {
  const appRef = { name: `${lane}-app` };
  await stage.make('CFPackage', `${lane}-package`, { type: 'docker', appRef, source: { registry: { image } } });
  await droplet(stage, `${lane}-droplet`, `${lane}-app`);
  const currentDropletRef = { name: `${lane}-droplet` };
  const spec = { displayName: `${lane}-app`, desiredState: 'STARTED', lifecycle: docker, currentDropletRef };
  await stage.make('CFApp', `${lane}-app`, spec);
  await stage.until(`${lane}-app runs`, () => stage.condition('CFApp', `${lane}-app`, 'Ready') === 'True Ready');
}

/** Gives an app another revision, as a deployment does. */
async function restart(stage: StagingStage, name: string): Promise<void> {
  const found = stage.embedded.world.get<AnyObject>(cfApp.type, space, name);
  const annotations = bumpedAtDeployment(found ?? expect.fail(`there is no app ${name}`));
  const patch = { type: 'merge', body: { metadata: { annotations } } } as const;
  await stage.person.resource(cfApp.type).patch({ namespace: space, name }, patch);
}

async function droplet(stage: StagingStage, name: string, of: string): Promise<void> {
  const refs = { packageRef: { name: 'package' }, appRef: { name: of }, lifecycle: docker };
  await stage.make('CFBuild', name, refs);
  await stage.tell('CFBuild', name, { state: 'STAGED', droplet: { registry: { image }, stack: '', ports: [8080] } });
}

function groundOf(stage: StagingStage, terms: Terms, count: number): Ground {
  const {
    kind,
    how,
    namespace = space,
    name = (lane: string) => lane,
    spec,
    samples,
    declared = [],
    prepare,
    restarts,
    spokenOf,
  } = terms;
  const { world } = stage.embedded;
  const known = (named: string): Iterable<AnyObject> => {
    const type = types.find((one) => one.kind === named);
    return type ? world.list<AnyObject>(type) : [];
  };
  const { settings, clock } = stage;
  const hook = cloudFoundryHooks({ family: cloudFoundryFamily, settings, clock, known })['/cloudfoundry/validate'];
  return {
    kind,
    how,
    samples,
    declared: [...declared, unique],
    lanes: Array.from({ length: count }, (_, at) => `${kind.type.kind.toLowerCase()}${at}`),
    object: (lane) => ({
      apiVersion: kind.apiVersion,
      kind: kind.type.kind,
      metadata: { name: name(lane), namespace },
      spec: spec(lane) as AnyObject['spec'] & object,
    }),
    admit: (object, before) => admitted(hook, object, before),
    standing: readiness,
    state: (lane) => laneState(world, lane, types),
    ...(spokenOf && { spokenOf }),
    ...(prepare && { prepare: (lane: string) => prepare(stage, lane) }),
    ...(restarts && { takeUp: (lane: string) => restart(stage, restarts(lane)) }),
  };
}

/** Every kind of Cloud Foundry says in one condition whether its present spec is so; what has an end says that it came. */
function readiness(object: AnyObject): Standing {
  const { conditions = [] } = (object.status ?? {}) as { readonly conditions?: readonly Condition[] };
  const words = wordsOf(object);
  const ready = conditions.find(({ type }) => type === 'Ready' || type === 'Succeeded');
  if (ready?.observedGeneration !== object.metadata.generation)
    return { is: 'working', words: `not looked at: ${words}` };
  return ready?.status === 'True' ? { is: 'realised' } : { is: 'told', words };
}
