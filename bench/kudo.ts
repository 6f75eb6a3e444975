import { execFileSync } from 'node:child_process';
import type { Benchmark } from './benchmark.ts';
import { measureChanges } from './kudo/changes.ts';
import { measureIdle } from './kudo/idle.ts';
import { startOurs } from './kudo/manager.ts';
import { measureTemplates } from './kudo/templates.ts';
import { measureWebhooks } from './kudo/webhooks.ts';
import { World } from './kudo/world.ts';

const small = { changes: 4, blocks: 1, instances: 10, idleMs: 1_000, renderings: 20 };
const whole = { changes: 250, blocks: 12, instances: 1_000, idleMs: 60_000, renderings: 1_000 };

/** Templates before anything else runs; idleness last, when there is nothing left to change. */
export const kudo: Benchmark = {
  name: 'kudo',
  about:
    'plans of a ConfigMap-only operator on a real API server; the floor sends the same writes bare; templates beside Go with sprig',
  async run({ peer, smoke, progress }) {
    const sizes = smoke ? small : whole;
    const templates = await measureTemplates({ rounds: sizes.renderings, progress });
    progress('bundling');
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
    await using world = await World.open();
    const webhooks = await measureWebhooks(world, { rounds: sizes.blocks, progress });
    await using manager = await startOurs(world.kubeconfig);
    const changes = await measureChanges(
      { world, manager },
      { rounds: sizes.changes, ...(peer && { peer }), progress },
    );
    const idle = await measureIdle({ world, manager }, { instances: sizes.instances, forMs: sizes.idleMs, progress });
    return [...changes, webhooks, ...idle, templates];
  },
};
