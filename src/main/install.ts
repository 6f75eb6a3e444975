import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CreateOptions, GenerateOptions } from '../cli/install-command.ts';
import { stopSignal } from '../cli/stop-signal.ts';
import { realClock } from '../clock/real.ts';
import { readChart } from '../install/chart.ts';
import { createMissing } from '../install/create-missing.ts';
import { installationYaml } from '../install/installation.ts';
import { layerValues } from '../install/merge-values.ts';
import { FileProblem, readObjects, readValues } from '../install/read-values.ts';
import { setValues } from '../install/set-value.ts';
import type { JsonObject } from '../kube/object.ts';
import { chartEngine } from './chart-engine.ts';
import { chartFiles } from './chart-source.ts';
import { realShell } from './shell.ts';

/** `cutover install generate`: prints the objects of an installation. */
export async function generate(options: GenerateOptions): Promise<void> {
  const files = await Promise.all(options.values.map(async (file) => readValues(file, await textOf(file))));
  const written = files.reduce<JsonObject>(layerValues, {});
  const values = options.set.reduce(setValues, written);
  const release = { name: options.name, namespace: options.namespace };
  const engine = chartEngine({ key: randomBytes(32), service: 'cutover' });
  // Whoever looks at the first lines only, as `head` does, has seen enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const { crds, forDeletion } = options;
  process.stdout.write(installationYaml(readChart(chartFiles()), { release, values, crds, forDeletion }, engine));
}

/** `cutover install create`: creates what is missing of the objects in a file. */
export async function create(options: CreateOptions): Promise<void> {
  const objects = readObjects(options.file, await textOf(options.file));
  const signal = stopSignal();
  const { client, close } = await realShell('cutover-install').open(options);
  try {
    await createMissing(client, objects, {
      clock: realClock,
      signal,
      timeoutMs: options.timeout * 1000,
      onDone: ({ kind, metadata }, created) =>
        void process.stdout.write(`${kind} ${metadata.name}: ${created ? 'created' : 'is there already'}\n`),
    });
  } finally {
    await close();
  }
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new FileProblem(`${file} cannot be read: ${error.code ?? error.message}`);
  });
}
