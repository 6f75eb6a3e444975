// The peer of the reflector benchmark: the typed pod informer of the official client, used as its documentation shows.
// Installs itself on first use. What is asked of it is in bench/reflector/README.md.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const installed = join(folder, 'node_modules', '@kubernetes', 'client-node', 'package.json');
if (!existsSync(installed)) {
  const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error('the peer could not be installed: npm ci failed');
    process.exit(1);
  }
}

const { CoreV1Api, KubeConfig, makeInformer } = await import('@kubernetes/client-node');
const { measure, server } = await import(process.env.BENCH_RULER ?? '../../reflector/measure.ts');
const { version } = JSON.parse(readFileSync(installed, 'utf8'));

const config = new KubeConfig();
config.loadFromOptions({
  clusters: [{ name: 'bench', server, skipTLSVerify: true }],
  users: [{ name: 'bench' }],
  contexts: [{ name: 'bench', cluster: 'bench', user: 'bench' }],
  currentContext: 'bench',
});
const api = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());

const ruler = measure(`client-node ${version}, typed informer`);
informer.on('update', () => ruler.event());
informer.on('error', (error) => {
  throw error;
});
await informer.start();
ruler.synced(informer.list().length);
ruler.burst();
await ruler.burstOver;
ruler.done();
process.exit(0);
