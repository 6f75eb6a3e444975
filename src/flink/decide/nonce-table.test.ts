import { describe, expect, it } from 'vitest';
import { nonceTable } from './nonce-table.ts';

const rows = nonceTable();
const happens = (state: string, nonce: string): string | undefined =>
  rows.find((row) => row.state === state && row.nonce === nonce)?.happens;

describe('the table of nonces', () => {
  it('has a row for each state and nonce', () => {
    expect(rows).toHaveLength(7 * 6);
    expect(new Set(rows.map(({ state, nonce }) => `${state} ${nonce}`)).size).toBe(rows.length);
  });

  it.each([
    ['running', 'the job is cancelled; a new one starts without state'],
    ['restarting', 'the job is cancelled; a new one starts without state'],
    ['failed', 'nothing is left to stop; a new one starts without state'],
    ['finished', 'nothing is left to stop; a new one starts without state'],
    ['JobManager missing', 'nothing is left to stop; a new one starts without state'],
    ['in an upgrade that waits for its savepoint', 'the job is cancelled; a new one starts without state'],
    ['suspended', 'remembered: on resumption the job starts without state'],
  ])('lets statelessRedeployNonce act on a job that is %s', (state, expected) => {
    expect(happens(state, 'statelessRedeployNonce')).toBe(expected);
    const fromSavepoint = expected.replace('without state', 'from initialSavepointPath');
    expect(happens(state, 'savepointRedeployNonce')).toBe(fromSavepoint);
  });

  it.each([
    ['running', 'the job is stopped with a savepoint; a new one starts from that savepoint'],
    ['restarting', 'the cluster is removed, its recovery metadata kept; a new one goes on from its last checkpoint'],
    ['failed', 'nothing is left to stop; a new one starts from its last state'],
    ['finished', 'nothing is left to stop; a new one starts from its last state'],
    ['in an upgrade that waits for its savepoint', 'the upgrade goes on; the new value is taken up with its spec'],
    ['suspended', 'The job is suspended; the change takes effect when it is resumed.'],
  ])('lets restartNonce upgrade a job that is %s, with its state', (state, expected) => {
    expect(happens(state, 'restartNonce')).toBe(expected);
  });

  it('takes a savepoint at once of a job that runs, and else as soon as it does', () => {
    expect(happens('running', 'savepointTriggerNonce')).toBe('a FlinkStateSnapshot is made, which takes it');
    expect(happens('suspended', 'savepointTriggerNonce')).toBe('acted upon as soon as the job runs');
    expect(happens('in an upgrade that waits for its savepoint', 'checkpointTriggerNonce')).toBe(
      'the upgrade goes on; acted upon as soon as the job runs',
    );
  });

  it('records autoscalerResetNonce, and that is all', () => {
    expect(happens('running', 'autoscalerResetNonce')).toBe('recorded; nothing else happens');
    expect(happens('suspended', 'autoscalerResetNonce')).toBe('recorded; nothing else happens');
  });
});
