import { describe, expect, it } from 'vitest';
import { simulation } from './suite.ts';
import { toy } from './toy/toy.ts';

/** Every fault at every call would be some ten thousand runs; every 401st spreads over all faults and calls. */
const { reference, mustHold, limit, replaying } = simulation(toy, { stride: 401, seeds: 1 });

describe.runIf(!replaying)('a wait that is stored as an instant', () => {
  it('ends in good time although the clock is set back meanwhile', limit, async () => {
    const workload = 'forgetful';
    const { calls } = await reference(workload, 1);
    // Again and again the measurement is begun and not carried out; before each try stands a wait.
    const measured = calls.findIndex((call) => call.startsWith('call factory.measure'));
    const from = calls.findLastIndex((call, index) => index < measured && call.startsWith('POST'));
    expect(measured - from).toBeGreaterThan(5);
    for (let call = from + 1; call <= measured; call++) {
      await mustHold({ subject: 'toy', workload, seed: 1, faults: { [call]: 'clock-back' } });
    }
  });
});
