import { afterAll, beforeAll, describe, it } from 'vitest';
import { ApiStage } from './api-stage.ts';
import { Played } from './played.ts';

/** Recordings that are played one after the other, or what is done before, between and after them. */
export type Scene = readonly string[] | ((played: Played, stage: ApiStage) => Promise<void>);

export interface Scenes {
  /** What is there before the first one. */
  readonly prepare?: (played: Played) => Promise<void>;
  /** By what they are about. All are on one stage, in this order: each finds what those before it have left. */
  readonly scenes: Readonly<Record<string, Scene>>;
}

/** Plays what the recorded API was asked on ours. A test per scene: its answers are as recorded, but for what is listed. */
export function playScenes({ prepare, scenes }: Scenes): void {
  describe('answers are as recorded, for', () => {
    let stage: ApiStage;
    let played: Played;

    beforeAll(async () => {
      stage = await ApiStage.open();
      played = new Played(stage);
      await prepare?.(played);
    });
    afterAll(async () => {
      await stage[Symbol.asyncDispose]();
    });

    it.each(Object.entries(scenes))('%s', async (_about, scene) => {
      if (typeof scene === 'function') await scene(played, stage);
      else await played.play(...scene);
      played.expectListed();
    });
  });
}
