import { describe, expect, it } from 'vitest';
import { CommandStage, execution, instanceOf, past, planStatus, versionOf } from './command-stage.ts';

async function stageWithInstance(): Promise<CommandStage> {
  const stage = await CommandStage.open();
  await stage.create(versionOf('alpha-0.1.0', ['deploy', 'backup']), instanceOf('one', 'alpha-0.1.0'));
  return stage;
}

describe('plan status', () => {
  it('says so when no plan has run yet', async () => {
    await using stage = await stageWithInstance();
    const { out, code } = await stage.run('plan', 'status', '--instance', 'one');
    expect([out, code]).toEqual(['No plan ever run for instance - nothing to show for instance one\n', 0]);
  });

  it('shows the tree, what waits, and whose pods restart', async () => {
    await using stage = await stageWithInstance();
    const restarts = [{ kind: 'StatefulSet', name: 'db', because: 'HEAP changed' }];
    const at = '2030-01-01T00:00:00Z';
    await stage.report('one', {
      planStatus: planStatus('deploy', 'IN_PROGRESS'),
      execution: { ...execution('deploy', 'u1'), restarts },
      conditions: [
        {
          type: 'Waiting',
          status: 'True',
          reason: 'PlanRunning',
          message: 'backup runs after deploy',
          lastTransitionTime: at,
        },
      ],
    });
    expect((await stage.run('plan', 'status', '--instance', 'one')).out).toBe(
      [
        'Plan(s) for "one" in namespace "default":',
        '.',
        '└── one (Operator-Version: "alpha-0.1.0" Active-Plan: "deploy")',
        '    ├── Plan backup (serial strategy) [NOT ACTIVE]',
        '    │\u00a0\u00a0 └── Phase main (serial strategy) [NOT ACTIVE]',
        '    │\u00a0\u00a0     └── Step work [NOT ACTIVE]',
        '    └── Plan deploy (serial strategy) [IN_PROGRESS], last updated 2030-01-01 00:00:05',
        '        └── Phase main (serial strategy) [IN_PROGRESS]',
        '            └── Step work [IN_PROGRESS]',
        '',
        'Waiting: backup runs after deploy',
        'Restarts: pods of StatefulSet db restart: HEAP changed',
        '',
      ].join('\n'),
    );
  });

  it('prints the status as JSON and YAML', async () => {
    await using stage = await stageWithInstance();
    await stage.report('one', { planStatus: planStatus('deploy', 'COMPLETE') });
    const { out } = await stage.run('plan', 'status', '--instance', 'one', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({ planStatus: { deploy: { status: 'COMPLETE' } } });
    expect((await stage.run('plan', 'status', '--instance', 'one', '-o', 'yaml')).out).toContain(
      '\nplanStatus:\n  deploy:\n    name: deploy\n    status: COMPLETE\n',
    );
  });

  it('suggests near names, other namespaces, or what there is', async () => {
    await using stage = await stageWithInstance();
    await stage.create(instanceOf('cassandra', 'alpha-0.1.0'));
    const error = async (...args: readonly string[]) => {
      const { err, code } = await stage.run('plan', 'status', ...args);
      expect(code).toBe(1);
      return err;
    };
    expect(await error('--instance', 'casandra')).toBe(
      'Error: instance "casandra" does not exist in namespace "default". Did you mean "cassandra"?\n',
    );
    expect(await error('--instance', 'kafka')).toContain('There are: cassandra, one');
    expect(await error('--instance', 'one', '-n', 'kube-system')).toContain(
      'There is one in namespace "default": add -n default',
    );
  });

  it('says what to do when the cluster does not know the kinds', async () => {
    await using stage = await CommandStage.open({ init: false });
    const { err, code } = await stage.run('plan', 'status', '--instance', 'one');
    expect([err, code]).toEqual([expect.stringContaining('`kudo init`'), 1]);
  });

  it('redraws in place on a terminal until the plan has ended, and fails with the message of the step', async () => {
    await using stage = await CommandStage.open({ isTerminal: true });
    await stage.create(versionOf('alpha-0.1.0', ['deploy']), instanceOf('one', 'alpha-0.1.0'));
    await stage.report('one', {
      planStatus: planStatus('deploy', 'IN_PROGRESS'),
      execution: execution('deploy', 'u1'),
    });
    const running = stage.start('plan', 'status', '--instance', 'one', '--wait');
    await stage.clock.advance(2_100);
    expect(running.said().out.split('\u001b[8A\u001b[0J')).toHaveLength(3);
    expect(running.said().out).toContain('elapsed time: 2s');
    await stage.report('one', {
      planStatus: planStatus('deploy', 'FATAL_ERROR', 'no such image'),
      execution: null as never,
      history: [past('deploy', 'u1', 'FATAL_ERROR')],
    });
    const { out, err, code } = await running.ended();
    expect(out).toContain('Step work [FATAL_ERROR] (no such image)');
    expect([err, code]).toEqual([
      'Error: plan deploy of instance default/one failed: step main.work: no such image\n',
      1,
    ]);
  });

  it('prints plain trees when nobody looks, each once', async () => {
    await using stage = await stageWithInstance();
    await stage.report('one', {
      planStatus: planStatus('deploy', 'IN_PROGRESS'),
      execution: execution('deploy', 'u1'),
    });
    const running = stage.start('plan', 'status', '--instance', 'one', '--wait');
    await stage.clock.advance(3_000);
    const { planStatus: ended } = { planStatus: planStatus('deploy', 'COMPLETE') };
    await stage.report('one', {
      planStatus: ended,
      execution: null as never,
      history: [past('deploy', 'u1', 'COMPLETE')],
    });
    const { out, code } = await running.ended();
    expect(code).toBe(0);
    expect(out).not.toContain('\u001b');
    expect(out.match(/Plan\(s\) for/g)).toHaveLength(2);
  });
});

describe('plan trigger', () => {
  it('asks for the plan, and for nothing that an earlier trigger asked for', async () => {
    await using stage = await stageWithInstance();
    const first = await stage.run(
      'plan',
      'trigger',
      '--instance',
      'one',
      '--name',
      'backup',
      '--override',
      '--no-restart',
    );
    expect(first).toEqual({ out: 'Triggered backup plan for default/one instance\n', err: '', code: 0 });
    const { planExecution: before } = (await stage.instance('one')).spec;
    expect(before).toEqual({
      planName: 'backup',
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      override: true,
      restart: false,
    });
    await stage.run('plan', 'trigger', '--instance', 'one', '--name', 'deploy');
    expect((await stage.instance('one')).spec.planExecution).toEqual({ planName: 'deploy', uid: expect.any(String) });
  });

  it('refuses what is no plan, and cleanup, and names what there is', async () => {
    await using stage = await stageWithInstance();
    const unknown = await stage.run('plan', 'trigger', '--instance', 'one', '--name', 'bakcup');
    expect([unknown.err, unknown.code]).toEqual(['Error: plan bakcup does not exist. Did you mean "backup"?\n', 1]);
    const far = await stage.run('plan', 'trigger', '--instance', 'one', '--name', 'constructor');
    expect(far.err).toContain('plan constructor does not exist. alpha-0.1.0 has: backup, deploy');
    expect((await stage.instance('one')).spec.planExecution).toBeUndefined();
  });

  it('waits for its own execution, told step by step, and not for an earlier one of the same plan', async () => {
    await using stage = await stageWithInstance();
    await stage.report('one', { history: [past('backup', 'old', 'FATAL_ERROR')] });
    const restarts = [{ kind: 'StatefulSet', name: 'db', because: 'pods of db restart because it was asked for' }];
    const running = stage.start('plan', 'trigger', '--instance', 'one', '--name', 'backup', '--wait');
    await stage.clock.advance(1_000);
    await stage.report('one', {
      execution: execution('backup', 'new'),
      planStatus: planStatus('backup', 'IN_PROGRESS'),
    });
    await stage.clock.advance(1_000);
    await stage.report('one', {
      execution: null as never,
      planStatus: planStatus('backup', 'COMPLETE'),
      history: [{ ...past('backup', 'new', 'COMPLETE'), restarts }, past('backup', 'old', 'FATAL_ERROR')],
    });
    const { out, err, code } = await running.ended();
    expect([out, code]).toEqual(['Triggered backup plan for default/one instance\n', 0]);
    expect(err.split('\n')).toEqual([
      'plan backup started',
      'step backup.main.work [IN_PROGRESS]',
      'step backup.main.work [COMPLETE]',
      'pods of db restart because it was asked for',
      '',
    ]);
  });

  it('ends with exit code 1 when the plan is cancelled, and 2 when time is up', async () => {
    await using stage = await stageWithInstance();
    const args = ['plan', 'trigger', '--instance', 'one', '--name', 'backup', '--wait', '--wait-time', '20'] as const;
    const cancelled = stage.start(...args);
    await stage.clock.advance(1_000);
    await stage.report('one', { history: [past('backup', 'u1', 'CANCELED')] });
    const { err, code } = await cancelled.ended();
    expect([err, code]).toEqual(['Error: plan backup of instance default/one was cancelled\n', 1]);
    const late = await stage.run(...args);
    expect([late.err, late.code]).toEqual([
      expect.stringMatching(/^Error: timed out after 20 seconds waiting for plan backup/),
      2,
    ]);
  });

  it('says that it waits for the plan that runs', async () => {
    await using stage = await stageWithInstance();
    await stage.report('one', { execution: execution('deploy', 'u1') });
    const { err } = await stage.run('plan', 'trigger', '--instance', 'one', '--name', 'backup');
    expect(err).toBe('Warning: plan deploy is running; backup runs after it. To run it at once, add --override\n');
  });
});

describe('plan cancel', () => {
  it('blanks the name of the plan beside its uid, and waits until the execution is gone', async () => {
    await using stage = await stageWithInstance();
    await stage.report('one', { execution: execution('deploy', 'u1') });
    const running = stage.start('plan', 'cancel', '--instance', 'one');
    await stage.clock.advance(1_000);
    expect((await stage.instance('one')).spec.planExecution).toEqual({ planName: '', uid: 'u1' });
    await stage.report('one', { execution: null as never, history: [past('deploy', 'u1', 'CANCELED')] });
    expect(await running.ended()).toEqual({ out: 'cancelled plan deploy of instance default/one\n', err: '', code: 0 });
  });

  it('says so when the plan had ended before, and when none runs', async () => {
    await using stage = await stageWithInstance();
    expect(await stage.run('plan', 'cancel', '--instance', 'one')).toEqual({
      out: 'no plan of instance default/one is running\n',
      err: '',
      code: 0,
    });
    await stage.report('one', { execution: execution('deploy', 'u1') });
    const running = stage.start('plan', 'cancel', '--instance', 'one');
    await stage.clock.advance(600);
    await stage.report('one', { execution: null as never, history: [past('deploy', 'u1', 'COMPLETE')] });
    const { err, code } = await running.ended();
    expect([err, code]).toEqual(['Error: plan deploy of instance default/one had ended before: COMPLETE\n', 1]);
  });

  it('never cancels cleanup', async () => {
    await using stage = await stageWithInstance();
    await stage.report('one', { execution: execution('cleanup', 'u1') });
    expect((await stage.run('plan', 'cancel', '--instance', 'one')).err).toContain(
      'cannot be cancelled: the instance is being deleted',
    );
  });
});

describe('plan wait', () => {
  it.each([
    ['COMPLETE', 0, ''],
    ['FATAL_ERROR', 1, 'Error: plan deploy of instance default/one failed: no reason was given\n'],
    ['CANCELED', 1, 'Error: plan deploy of instance default/one was cancelled\n'],
    ['SUPERSEDED', 1, 'Error: plan deploy of instance default/one was superseded\n'],
  ] as const)('ends at once when nothing runs, as the last execution did: %s', async (outcome, code, err) => {
    await using stage = await stageWithInstance();
    await stage.report('one', { history: [past('deploy', 'u1', outcome)] });
    const out = `plan deploy of instance default/one: ${outcome}\n`;
    expect(await stage.run('plan', 'wait', '--instance', 'one')).toEqual({ out, err, code });
  });

  it('says that nothing has ever run', async () => {
    await using stage = await stageWithInstance();
    await stage.report('one', {});
    const running = stage.start('plan', 'wait', '--instance', 'one');
    await stage.clock.advance(30_000);
    const { err, code } = await running.ended();
    expect([err, code]).toEqual(['Error: no plan of instance default/one has ever run\n', 1]);
  });

  it('waits for the execution that runs, and is told of a plan that never ran', async () => {
    await using stage = await stageWithInstance();
    await stage.report('one', { execution: execution('deploy', 'u1') });
    const running = stage.start('plan', 'wait', '--instance', 'one', '-o', 'json');
    await stage.clock.advance(5_000);
    await stage.report('one', { execution: null as never, history: [past('deploy', 'u1', 'COMPLETE')] });
    const { out, code } = await running.ended();
    expect([JSON.parse(out).outcome, code]).toEqual(['COMPLETE', 0]);
    const never = await stage.run('plan', 'wait', '--instance', 'one', '--name', 'backup');
    expect([never.err, never.code]).toEqual(['Error: plan backup of instance default/one has never run\n', 1]);
  });
});

describe('plan history', () => {
  it('tells of all executions what caused them, whether pods restarted, and how they ended', async () => {
    await using stage = await stageWithInstance();
    const quiet = {
      ...past('deploy', 'u2', 'COMPLETE'),
      cause: 'parameters',
      changed: ['COUNT'],
      forced: false,
    } as const;
    const { restartUID: _, ...unforced } = quiet;
    await stage.report('one', {
      planStatus: planStatus('deploy', 'COMPLETE'),
      history: [unforced, { ...past('deploy', 'u1', 'FATAL_ERROR'), message: 'no\u001b[2J image' }],
    });
    expect((await stage.run('plan', 'history', '--instance', 'one')).out).toBe(
      [
        '.',
        '├── backup (never run)',
        '└── deploy (last finished run at 2030-01-01 00:00:05 (COMPLETE))',
        '',
        'STARTED              TOOK  PLAN    OUTCOME      CAUSE              RESTART  MESSAGE',
        '2030-01-01 00:00:00  5s    deploy  COMPLETE     parameters: COUNT  no',
        '2030-01-01 00:00:00  5s    deploy  FATAL_ERROR  trigger            yes      no\\u001b[2J image',
        '',
      ].join('\n'),
    );
    const { out } = await stage.run('plan', 'history', '--instance', 'one', '-o', 'yaml');
    expect(out).toContain('message: "no\\e[2J image"');
  });
});
