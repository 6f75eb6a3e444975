import { describe, expect, it } from 'vitest';
import { demoPackage } from './demo-package.ts';
import { KudoStage } from './kudo-stage.ts';

describe('every restart', () => {
  it('is explained by what changed', async () => {
    const { stage } = await KudoStage.running(demoPackage);
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    await stage.set('one', { LEVEL: 'debug' });
    await stage.settled('one', 2);
    expect(stage.instance('one').status?.history?.[0]?.restarts).toEqual([
      {
        kind: 'StatefulSet',
        name: 'one-node',
        because: expect.stringMatching(
          /pods of one-node restart because LEVEL changed app\.conf in ConfigMap one-config/,
        ),
      },
    ]);
    await stage.set('one', { NODE_COUNT: '3' });
    await stage.settled('one', 3);
    expect(stage.instance('one').status?.history?.[0]).not.toHaveProperty('restarts');
  });
});
