import { expect, it } from 'vitest';
import { sleep } from '../../clock/clock.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import { app, build, dockerPackage } from '../decide/build/build.fixture.ts';
import { defaultSettings } from '../settings.ts';
import { type CfBuildSources, cfBuildView } from './cf-build-view.ts';

it('tells how long it took to look at an image', async () => {
  const clock = new VirtualClock();
  const cached = (object?: object) => ({ get: () => object, by: () => [] });
  const sources = {
    caches: {
      apps: cached(app()),
      packages: cached(dockerPackage()),
      builds: cached(),
      deployments: cached(),
      buildWorkloads: cached(),
      builderInfos: cached(),
    },
    clock,
    registry: {
      read: async () => {
        await sleep(clock, 3_000);
        return { read: false, why: 'it did not answer', passing: true };
      },
    },
    settings: defaultSettings,
  } as unknown as CfBuildSources;
  const glance = { object: build(), now: clock.now(), outcomes: {}, signal: new AbortController().signal };
  const looked = cfBuildView('space/build', glance, sources);
  await clock.advance(3_000);
  expect(await looked).toMatchObject({ now: glance.now + 3_000, image: { read: false } });
});
