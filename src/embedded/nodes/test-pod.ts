import type { AnyObject } from '../../kube/object.ts';
import { TestCluster } from '../controllers/test-cluster.ts';
import type { ContainerStatus, Pod } from '../kinds/objects/pod.ts';
import { pods } from '../kinds/resource-types.ts';
import type { LogOptions } from '../runtime.ts';

/** A cluster with one pod in it, for tests of nodes. */
export class TestPod extends TestCluster {
  /** Makes the pod `p`, by default of one container `main`. */
  static async start(spec: Partial<Pod['spec']> = {}, annotations: Record<string, string> = {}): Promise<TestPod> {
    const cluster = new TestPod();
    await cluster.run(100);
    const object: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'default', labels: { app: 'p' }, annotations },
      spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec },
    };
    await cluster.world.create(pods, object);
    return cluster;
  }

  get pod(): Pod {
    return this.get<Pod>(pods, 'p');
  }

  /** The status of its first container. */
  get main(): ContainerStatus {
    const [status] = this.pod.status?.containerStatuses ?? [];
    if (!status) throw new Error('no status yet');
    return status;
  }

  async running(): Promise<void> {
    await this.until('running', () => this.pod.status?.phase === 'Running');
  }

  async log(options: LogOptions = {}): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await this.runtime.log(this.pod as unknown as AnyObject, options)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  /** Runs a command to its end. */
  async exec(command: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
    const options = { command, stdin: input !== '', tty: false };
    const session = await this.runtime.exec(this.pod as unknown as AnyObject, options);
    if (input) session.write(Buffer.from(input));
    session.end();
    const text = { stdout: '', stderr: '' };
    const reading = (async () => {
      for await (const { stream, data } of session.output) text[stream] += Buffer.from(data).toString();
    })();
    await this.run(10_000);
    await reading;
    return { code: await session.exit, out: text.stdout, err: text.stderr };
  }
}
