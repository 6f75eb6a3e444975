import { run } from './run.fixture.ts';
import { application } from './specs.fixture.ts';
import { World } from './world.fixture.ts';

/** An application that runs and is stable; what happened until then is forgotten. */
export function running(...spec: Parameters<typeof application>): World {
  const world = new World(application(...spec));
  world.storage.files.set('s3://sp/mine', 1000);
  run(world, 12);
  world.events.length = 0;
  world.deeds.length = 0;
  return world;
}

/** What was done to the world, as far as it begins like this. */
export function deedsOf(world: World, verb: string): string[] {
  return world.deeds.filter((deed) => deed.startsWith(verb));
}
