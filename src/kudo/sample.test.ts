import { describe, expect, it } from 'vitest';
import { explain } from './graph/explain.ts';
import { graphOf } from './graph/graph-of.ts';
import { commands, sampleObjects } from './sample.ts';

const [operator, version, instance] = sampleObjects();
const of = { name: 'ledger', namespace: 'default', uid: '' };

/** What a change of one parameter does to the pods. */
const change = (name: string, value: string) =>
  explain({ operatorVersion: version, instance: of }, { from: {}, to: { [name]: value } });

describe('the sample', () => {
  it('is an Operator, an OperatorVersion and an Instance of it', () => {
    expect(operator.metadata.name).toBe('ledger');
    expect(version.spec.operator?.name).toBe('ledger');
    expect(instance.spec.operatorVersion?.name).toBe(version.metadata.name);
    expect(Object.keys(version.spec.plans ?? {}).sort()).toEqual(['backup', 'deploy']);
  });

  it('has a parameter that scales and restarts nothing', () => {
    expect(change('NODE_COUNT', '4')).toMatchObject([{ workload: { name: 'ledger' }, restarts: false, causes: [] }]);
  });

  it('has a parameter that changes only the ConfigMap and restarts nothing', () => {
    expect(change('NOTICE', 'Closed: "for good".')).toMatchObject([
      { restarts: false, causes: [{ object: { kind: 'ConfigMap' }, what: ['notice.txt'] }] },
    ]);
  });

  it('has a parameter that restarts', () => {
    expect(change('CURRENCY', 'CHF').map(({ sentence }) => sentence)).toEqual([
      'pods of ledger restart because CURRENCY changed ledger.conf in ConfigMap ledger-settings',
    ]);
  });

  it('has a parameter that makes a backup and leaves the nodes alone', () => {
    expect(change('BACKUP_NAME', 'second').map(({ workload }) => workload)).toEqual([
      { kind: 'Job', name: 'ledger-backup' },
    ]);
  });

  it('has no quiet parameter in the template of pods that go on', () => {
    const { edges } = graphOf({ operatorVersion: version, instance: of, parameters: {} });
    const quiet = version.spec.parameters
      ?.filter((one) => one.forcePodRestart === false)
      .map(({ name }) => `param/${name}`);
    const reaching = edges.filter((edge) => edge.type === 'changes' && edge.podTemplate && quiet?.includes(edge.from));
    expect(quiet).toHaveLength(3);
    expect(reaching.map(({ from, to }) => [from, to])).toEqual([['param/BACKUP_NAME', 'workload/Job/ledger-backup']]);
  });

  it('is shown by commands that name parameters it has', () => {
    const named = commands().flatMap((line) => /-p (\w+)=/.exec(line)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(2);
    expect(version.spec.parameters?.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  });
});
