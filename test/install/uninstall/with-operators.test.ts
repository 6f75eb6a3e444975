import { expect, it } from 'vitest';
import { uninstall } from '../../../src/cli/uninstall/uninstall.ts';
import { seededRandom } from '../../../src/clock/random.ts';
import { LeaderLease } from '../../../src/control/lease.ts';
import { silent } from '../../../src/control/log.ts';
import { flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { instance } from '../../../src/kudo/resources/instance.ts';
import { finalizersOf } from '../../../src/main/uninstall.ts';
import { application } from '../../flink/manifests.ts';
import { demoPackage } from '../../kudo/demo-package.ts';
import { object } from '../../kudo/kudo-stage.ts';
import { FleetStage, home } from '../../replicas/fleet-stage.ts';

it('an uninstall leaves running what runs, and an operator that comes back restarts nothing', async () => {
  await using stage = await FleetStage.open();
  const { clock, person: client } = stage;
  const [leading, standing] = [stage.start(), stage.start()];
  const version = { operator: { name: 'demo' }, version: '0.1.0', ...demoPackage };
  await stage.apply(application({ name: 'orders' }));
  await stage.apply(object('OperatorVersion', 'demo-0.1.0', version));
  await stage.apply(object('Instance', 'demo', { operatorVersion: { name: 'demo-0.1.0' } }));
  const works = (): boolean => stage.isStable('default', 'orders') && stage.isDeployed('default', 'demo');
  await stage.until('both families work', works);
  const types = [kinds.pods, kinds.deployments, kinds.statefulSets, kinds.configMaps];
  const running = (): readonly string[] =>
    types.flatMap((type) => stage.embedded.world.list(type).map(({ metadata }) => `${metadata.name} ${metadata.uid}`));
  const held = (): readonly string[] =>
    [stage.find(flinkDeployment.type, 'default', 'orders'), stage.find(instance.type, 'default', 'demo')].flatMap(
      (found) => found?.metadata.finalizers ?? [],
    );
  const ran = running();
  expect(held()).toContain('flinkdeployments.flink.apache.org/finalizer');

  const place = { namespace: home, name: 'cutover', identity: 'uninstall' };
  let end: string | undefined;
  void uninstall({
    ...{ client, clock, namespaces: [], dryRun: false, wait: true, withoutLease: false, timeoutMs: 300_000 },
    lease: new LeaderLease({ client, clock, random: seededRandom(9), log: silent, ...place }),
    leaseName: 'operators/cutover',
    finalizers: await finalizersOf(['flink', 'kudo']),
    signal: new AbortController().signal,
    say: () => {},
  }).then((how) => {
    end = how;
  });
  await stage.until('it ends', () => end !== undefined);
  expect(end).toBe('done');
  expect(held()).toEqual([]);
  expect(leading.isGone).toBe(true);

  // The other one stands by for a minute, in which the release is deleted; here it dies.
  const { length } = stage.writes;
  await clock.advance(50_000);
  expect(stage.writes.slice(length)).toEqual([]);
  standing.kill();
  await clock.advance(30 * 60_000);
  expect(running()).toEqual(ran);

  const again = stage.start();
  await stage.until('it looks after them again', () => held().length > 0 && works());
  expect(running()).toEqual(ran);
  await again.stop();
});
