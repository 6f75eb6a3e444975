import { execFileSync } from 'node:child_process';
import type { Benchmark } from './benchmark.ts';
import { World } from './kudo/world.ts';
import { measureCommands } from './ui/commands.ts';
import { measureDashboards } from './ui/dashboards.ts';
import { startWithDashboard } from './ui/operator.ts';
import { reader } from './ui/reader.ts';
import { measureStream } from './ui/stream.ts';
import { pageWeight } from './ui/weight.ts';

const small = { workloads: 20, runs: 2, changes: 10, dashboards: 5, idleMs: 1_000 };
const whole = { workloads: 1_000, runs: 21, changes: 300, dashboards: 100, idleMs: 30_000 };

/** Commands first, beside an operator that rests; then what the dashboard costs. */
export const ui: Benchmark = {
  name: 'ui',
  about: 'command line and dashboard with many workloads on a real API server, beside kubectl and a bare watch',
  async run({ smoke, progress }) {
    const sizes = smoke ? small : whole;
    progress('bundling');
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
    await using world = await World.open();
    const token = await reader(world);
    await using operator = await startWithDashboard(world.kubeconfig);
    await world.deploy(Array.from({ length: sizes.workloads }, (_, at) => `ledger-${at}`));
    progress(`${sizes.workloads} workloads are there`);
    const commands = await measureCommands(world, { ...sizes, progress });
    const dashboards = await measureDashboards(operator, token, { ...sizes, progress });
    const stream = await measureStream(world, operator, token, { ...sizes, progress });
    return [...commands, stream, pageWeight(), ...dashboards];
  },
};
