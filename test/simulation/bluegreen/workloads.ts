import { blueGreen } from '../../flink/manifests.ts';
import { tokensOf } from '../flink/tokens.ts';
import type { Workload } from '../flink/workloads.ts';

/**
 * By the wall clock, which leaps by an hour: what takes longer than it may is given up, and that would be another end.
 */
const settings = { 'abort.grace-period': '3 h' };
const configuration = { 'execution.checkpointing.timeout': '3 h', ...tokensOf('a') };

const deployed = { ingress: { template: '{{name}}.example.com' }, configuration, settings };
const repeats = 'what two sides count at once';
const next = { args: ['--rate', '10', '--label', 'v2'] };

/** What people do with blue/green deployments. */
export const blueGreenWorkloads: Readonly<Record<string, Workload>> = {
  transition: {
    repeats,
    savepoints: 1,
    async play(person) {
      await person.apply(blueGreen({ ...deployed, settings: { ...settings, 'deployment-deletion.delay': '5 s' } }));
      await person.serves('orders', 'BLUE');
      await person.pause(25_000);
      await person.editTemplate('orders', next, tokensOf('b'));
      await person.serves('orders', 'GREEN');
      await person.gone('orders-blue');
      await person.pause(15_000);
    },
  },
  /** Seed 003. */
  'nonce during a transition': {
    repeats,
    savepoints: 1,
    overtaken: 'orders-green',
    async play(person) {
      await person.apply(blueGreen(deployed));
      await person.serves('orders', 'BLUE');
      await person.pause(25_000);
      person.fail('orders-green', { start: { mode: 'slow', ms: 60 * 60_000 } });
      await person.editTemplate('orders', next, tokensOf('b'));
      await person.state('orders', 'TRANSITIONING_TO_GREEN');
      await person.pause(5_000);
      await person.editTemplate('orders', { statelessRedeployNonce: 1 });
      // One that is overtaken does not come up, however late it was made and goes: its job would be one more.
      await person.redeployed('orders-green', 1);
      person.fail('orders-green', {});
      await person.serves('orders', 'GREEN');
      await person.gone('orders-blue');
      await person.pause(15_000);
    },
  },
  /** The new side does not come up; somebody puts the template back. */
  abort: {
    repeats,
    savepoints: 1,
    overtaken: 'orders-green',
    async play(person) {
      await person.apply(blueGreen({ ...deployed, settings: { 'abort.grace-period': '1 min' } }));
      await person.serves('orders', 'BLUE');
      await person.pause(25_000);
      person.fail('orders-green', { start: { mode: 'slow', ms: 60 * 60_000 } });
      await person.editTemplate('orders', next, tokensOf('b'));
      await person.state('orders', 'TRANSITIONING_TO_GREEN');
      await person.state('orders', 'ACTIVE_BLUE');
      await person.pause(5_000);
      await person.editTemplate('orders', { args: ['--rate', '10'] }, tokensOf('a'));
      await person.gone('orders-green');
      await person.serves('orders', 'BLUE');
      await person.pause(15_000);
    },
  },
  suspension: {
    repeats,
    savepoints: 1,
    async play(person) {
      await person.apply(blueGreen(deployed));
      await person.serves('orders', 'BLUE');
      await person.pause(25_000);
      await person.editTemplate('orders', { state: 'suspended' });
      await person.suspended('orders-blue');
      await person.pause(5_000);
      await person.editTemplate('orders', { state: 'running', ...next }, tokensOf('b'));
      await person.serves('orders', 'BLUE');
      await person.pause(15_000);
    },
  },
};
