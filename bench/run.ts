import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Benchmark, Row } from './benchmark.ts';
import { table } from './table.ts';

/** Loaded only when asked for: each drags in what it measures. */
const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  reflector: async () => (await import('./reflector.ts')).reflector,
  embedded: async () => (await import('./embedded.ts')).embedded,
  operator: async () => (await import('./operator.ts')).operator,
  flink: async () => (await import('./flink.ts')).flink,
  'flink-node': async () => (await import('./flink-node.ts')).flinkNode,
  bluegreen: async () => (await import('./bluegreen.ts')).bluegreen,
  cloudfoundry: async () => (await import('./cloudfoundry.ts')).cloudfoundry,
  kudo: async () => (await import('./kudo.ts')).kudo,
  ui: async () => (await import('./ui.ts')).ui,
  scale: async () => (await import('./scale.ts')).scale,
};

const usage = 'usage: npm run bench -- NAME… [--peer COMMAND] [--smoke] [--json FILE]';

/** Says in one line what is wrong with the command. */
class UsageError extends Error {}

async function main(args: string[]): Promise<void> {
  const { names, peer, smoke, json } = parse(args);
  const rows: Row[] = [];
  for (const name of names) {
    const benchmark = await benchmarks[name]?.();
    if (!benchmark) continue;
    console.log(`${benchmark.name}: ${benchmark.about}`);
    const progress = (line: string): void => console.error(`  ${line}`);
    const measured = await benchmark.run({ ...(peer && { peer }), smoke, progress });
    console.log(`\n${table(measured)}\n`);
    rows.push(...measured);
  }
  if (smoke) console.log('Sizes were tiny (--smoke): the figures only show that the benchmarks run.');
  if (json) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`);
}

function parse(args: string[]): { names: readonly string[]; peer?: string; smoke: boolean; json?: string } {
  const known = Object.keys(benchmarks).join(', ');
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { peer: { type: 'string' }, smoke: { type: 'boolean', default: false }, json: { type: 'string' } },
    });
    const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name));
    if (unknown !== undefined) throw new UsageError(`there is no benchmark "${unknown}"; known: ${known}`);
    if (positionals.length === 0) throw new UsageError(`which benchmark? known: ${known}; ${usage}`);
    if (values.peer && positionals.length > 1) throw new UsageError('--peer belongs to one benchmark; name only one');
    return { names: positionals, ...values };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message.split('\n', 1)[0]}; ${usage}`);
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
