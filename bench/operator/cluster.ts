import { writeFileSync } from 'node:fs';
import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { createEmbedded } from '../../src/embedded/embedded.ts';

/** A quiet cluster for the idle operator to watch. */
const cluster = await createEmbedded({ clock: realClock, random: realRandom });
const { kubeconfig } = await cluster.listen({ port: 0 });
writeFileSync(process.env.CUTOVER_BENCH_KUBECONFIG ?? '', kubeconfig, { mode: 0o600 });
process.on('SIGTERM', async () => {
  await cluster.close();
  process.exit();
});
console.log('ready');
