import { expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { demoPackage } from './demo-package.ts';
import { KudoStage } from './kudo-stage.ts';

it('what KUDO wrote while it had the objects back becomes ours again, and goes with the next plan', async () => {
  const { stage } = await KudoStage.running(demoPackage);
  await using _ = stage;
  await stage.install('one');
  await stage.settled('one', 1);
  const configMaps = stage.person.resource(kinds.configMaps);
  const body = { data: { theirs: 'of KUDO' } };
  await configMaps.patch(
    { namespace: 'default', name: 'one-config' },
    { type: 'merge', body },
    { fieldManager: 'kudo-manager' },
  );
  await stage.trigger('one', 'deploy', { restart: false });
  await stage.settled('one', 2);
  const config = stage.find(kinds.configMaps, 'one-config');
  expect(config?.data).toEqual({ 'app.conf': 'level=info' });
  expect(config?.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['cutover-kudo']);
  // It was installed, adopted, and applied.
  expect(stage.writes.filter((write) => write.includes('/configmaps/one-config'))).toHaveLength(3);
});
