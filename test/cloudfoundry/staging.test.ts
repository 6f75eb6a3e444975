import { describe, expect, it } from 'vitest';
import { StagingStage, space } from './staging-stage.ts';

const image = 'registry.example/app:1';

describe('staging a docker image', () => {
  it('makes a droplet with the ports of the image, and is at rest afterwards', async () => {
    await using stage = await StagingStage.open();
    stage.images.set(image, { read: true, config: { ports: [9000], user: '1000' } });
    await stage.push('build', image);
    await stage.until('the droplet', () => stage.condition('CFBuild', 'build', 'Ready') === 'True Ready');
    expect(stage.status('CFBuild', 'build')).toMatchObject({
      state: 'STAGED',
      droplet: { registry: { image }, stack: '', ports: [9000] },
    });
    expect(stage.condition('CFPackage', 'build-package', 'Ready')).toBe('True Ready');
    expect(stage.asked).toEqual([`${image} 0`]);
    await stage.clock.advance(60_000);
    stage.writes.length = 0;
    await stage.clock.advance(3_600_000);
    expect(stage.writes).toEqual([]);
    expect(stage.asked).toHaveLength(1);
  });

  it('asks the registry with the credentials of the package', async () => {
    await using stage = await StagingStage.open();
    const config = Buffer.from(JSON.stringify({ auths: {} })).toString('base64');
    await stage.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'mine', namespace: space },
      ...{ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': config } },
    });
    const registry = { image, imagePullSecrets: [{ name: 'mine' }, { name: 'gone' }] };
    await stage.make('CFPackage', 'p', { type: 'docker', appRef: { name: 'app' }, source: { registry } });
    await stage.make('CFBuild', 'build', {
      packageRef: { name: 'p' },
      appRef: { name: 'app' },
      lifecycle: { type: 'docker' },
    });
    await stage.until('the droplet', () => stage.condition('CFBuild', 'build', 'Succeeded').startsWith('True'));
    expect(stage.asked).toEqual([`${image} 1`]);
    expect(stage.status('CFBuild', 'build')).toMatchObject({ droplet: { registry } });
  });

  it('stages what cannot be looked at, and refuses what must not run', async () => {
    await using stage = await StagingStage.open();
    stage.images.set('registry.example/root:1', { read: true, config: { ports: [80], user: '' } });
    await stage.push('away', 'registry.example/away:1');
    await stage.push('root', 'registry.example/root:1');
    await stage.until('both ended', () => {
      return ['away', 'root'].every((name) => stage.condition('CFBuild', name, 'Staging').startsWith('False'));
    });
    expect(stage.condition('CFBuild', 'away', 'Succeeded')).toBe('True BuildSucceeded');
    expect(stage.message('CFBuild', 'away', 'Succeeded')).toMatch(/nobody is there/);
    expect(stage.condition('CFBuild', 'root', 'Succeeded')).toBe('False BuildFailed');
  });
});

describe('staging with buildpacks', () => {
  it('waits for a builder, hands it the source, and takes over what it made', async () => {
    await using stage = await StagingStage.open();
    const appRef = { name: 'app' };
    const registry = { image: 'registry.example/source:1' };
    await stage.make('CFPackage', 'files', { type: 'bits', appRef, source: { registry } });
    await stage.make('CFBuild', 'build', {
      packageRef: { name: 'files' },
      appRef,
      lifecycle: { type: 'buildpack', data: { buildpacks: ['nodejs'] } },
    });
    await stage.until('it is handed over', () => stage.names('BuildWorkload').includes('build'));
    expect(stage.condition('CFBuild', 'build', 'Staging')).toBe('Unknown BuilderNotInstalled');

    await stage.make('BuilderInfo', 'kpack-image-builder', {}, 'cf');
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'Ready',
      message: '',
      observedGeneration: 1,
      lastTransitionTime: '2026-11-01T10:00:00Z',
    };
    await stage.tell('BuilderInfo', 'kpack-image-builder', { conditions: [ready] }, 'cf');
    await stage.until('the builder is seen', () => {
      return stage.condition('CFBuild', 'build', 'Staging') === 'True BuildRunning';
    });
    const droplet = {
      registry: { image: 'registry.example/droplet:1' },
      processTypes: [{ type: 'web', command: 'run' }],
    };
    await stage.tell('BuildWorkload', 'build', { droplet, conditions: [{ ...ready, type: 'Succeeded' }] });
    await stage.until('the droplet', () => stage.condition('CFBuild', 'build', 'Ready') === 'True Ready');
    expect(stage.status('CFBuild', 'build')).toMatchObject({ state: 'STAGED', droplet });
  });

  it('fails when nobody has taken it after a quarter of an hour', async () => {
    await using stage = await StagingStage.open();
    const appRef = { name: 'app' };
    const registry = { image: 'registry.example/source:1' };
    await stage.make('CFPackage', 'files', { type: 'bits', appRef, source: { registry } });
    await stage.make('CFBuild', 'build', { packageRef: { name: 'files' }, appRef, lifecycle: { type: 'buildpack' } });
    await stage.until(
      'it fails',
      () => stage.condition('CFBuild', 'build', 'Succeeded') === 'False BuildFailed',
      16 * 60_000,
    );
    expect(stage.message('CFBuild', 'build', 'Succeeded')).toMatch(/No builder kpack-image-builder is installed/);
  });
});

describe('what is kept of an app', () => {
  it('is the droplet it runs and five others, each with its package', async () => {
    await using stage = await StagingStage.open();
    await stage.push('b0', image);
    await stage.edit('CFApp', 'app', { spec: { currentDropletRef: { name: 'b0' } } });
    for (const name of ['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7']) {
      await stage.push(name, image);
      await stage.clock.advance(2_000);
    }
    const left = ['b0', 'b3', 'b4', 'b5', 'b6', 'b7'];
    await stage.until('the old ones are gone', () => stage.names('CFBuild').length === left.length);
    expect(stage.names('CFBuild')).toEqual(left);
    await stage.until('their packages are gone', () => stage.names('CFPackage').length === left.length);
    expect(stage.names('CFPackage')).toEqual(left.map((name) => `${name}-package`));
  });
});
