import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { createEmbedded } from '../../src/embedded/embedded.ts';

/** What this process says. */
export interface ClusterAnswer {
  readonly kubeconfig: string;
}

/** A process of its own, so that the operator's is measured alone: an API server with nobody behind it. */
const [, , data = ''] = process.argv;
const cluster = await createEmbedded({ clock: realClock, random: realRandom, data, controllers: false });
const { kubeconfig } = await cluster.listen({ port: 0 });
process.on('disconnect', async () => {
  await cluster.close();
  process.exit();
});
const answer: ClusterAnswer = { kubeconfig };
process.send?.(answer);
