import { describe, expect, it } from 'vitest';
import { type Commands, type EmbeddedOptions, type OperatorOptions, program, type StartOptions } from './program.ts';
import type { UninstallOptions } from './uninstall/uninstall-command.ts';

interface Run {
  readonly start: StartOptions[];
  readonly embedded: EmbeddedOptions[];
  readonly operator: OperatorOptions[];
  readonly kudo: (readonly string[])[];
  readonly steer: (readonly string[])[];
  readonly uninstall: UninstallOptions[];
  readonly errors: string;
  readonly code: number | undefined;
}

function run(...args: string[]): Promise<Run> {
  return runWith(['lamp', 'lantern'], ...args);
}

async function runWith(controllers: readonly string[], ...args: string[]): Promise<Run> {
  const start: StartOptions[] = [];
  const embedded: EmbeddedOptions[] = [];
  const operator: OperatorOptions[] = [];
  const kudo: (readonly string[])[] = [];
  const steer: (readonly string[])[] = [];
  const uninstall: UninstallOptions[] = [];
  let errors = '';
  const commands: Commands = {
    start: async (options) => void start.push(options),
    embedded: async (options) => void embedded.push(options),
    operator: async (options) => void operator.push(options),
    kudo: async (words) => void kudo.push(words),
    steer: async (word, words) => void steer.push([word, ...words]),
    install: { generate: async () => {}, create: async () => {} },
    uninstall: async (options) => void uninstall.push(options),
    version: () => '1.2.3',
    controllers,
    families: ['indoors', 'outdoors'],
  };
  const cli = program(commands);
  for (const command of [cli, ...cli.commands]) {
    command.exitOverride();
    command.configureOutput({
      ...cli.configureOutput(),
      writeErr: (text) => {
        errors += text;
      },
      writeOut: () => {},
    });
  }
  try {
    await cli.parseAsync(args, { from: 'user' });
    return { start, embedded, operator, kudo, steer, uninstall, errors, code: undefined };
  } catch (error) {
    return {
      start,
      embedded,
      operator,
      kudo,
      steer,
      uninstall,
      errors,
      code: (error as { exitCode: number }).exitCode,
    };
  }
}

describe('the command line', () => {
  it('starts an embedded cluster in memory by default', async () => {
    const { embedded } = await run('embedded');
    expect(embedded).toEqual([{ kubeconfig: '.cutover/kubeconfig' }]);
  });

  it('leaves everything behind a word that sees or steers to the command of that word', async () => {
    const { steer } = await run('get', 'orders', '-n', 'shop', '-w', '--help');
    expect(steer).toEqual([['get', 'orders', '-n', 'shop', '-w', '--help']]);
    expect((await run('plan', '--patch', '{}', '--', 'Instance/ledger')).steer).toEqual([
      ['plan', '--patch', '{}', '--', 'Instance/ledger'],
    ]);
  });

  it('leaves everything behind `kudo` to its own command line', async () => {
    const { kudo } = await run('kudo', '--namespace', 'a', 'plan', 'status', '--instance', 'one', '--help');
    expect(kudo).toEqual([['--namespace', 'a', 'plan', 'status', '--instance', 'one', '--help']]);
  });

  it('takes a data directory and a port', async () => {
    const { embedded } = await run('embedded', '--data', 'd', '--port', '0');
    expect(embedded).toEqual([{ data: 'd', port: 0, kubeconfig: '.cutover/kubeconfig' }]);
  });

  it('starts a cluster with everything in it, and follows the samples or another file', async () => {
    const { start } = await run('start', '--data', 'd');
    expect(start).toEqual([{ data: 'd', kubeconfig: '.cutover/kubeconfig' }]);
    expect((await run('start', '--sample', 's.yaml')).start[0]?.sample).toBe('s.yaml');
  });

  it('takes the leader lease unless told otherwise', async () => {
    expect((await run('operator')).operator[0]?.leaderElect).toBe(true);
    expect((await run('operator', '--no-leader-elect')).operator[0]?.leaderElect).toBe(false);
  });

  it('releases everything there is, or as much as it is told, and only asks an operator that is alive if it is to', async () => {
    expect((await run('uninstall')).uninstall).toEqual([
      {
        ...{ leaseNamespace: 'default', family: [], watchNamespace: [], off: [] },
        ...{ withoutLease: false, dryRun: false, wait: false, timeout: 300 },
      },
    ]);
    const args = ['--lease-namespace', 'ops', '--family', 'indoors', '--watch-namespace', 'a', '--dry-run', '--wait'];
    const left = ['--off', 'Lamp', '--off=lantern', '--without-lease'];
    expect((await run('uninstall', ...args, ...left, '--timeout', '20')).uninstall).toEqual([
      {
        ...{ leaseNamespace: 'ops', family: ['indoors'], watchNamespace: ['a'], off: ['lamp', 'lantern'] },
        ...{ withoutLease: true, dryRun: true, wait: true, timeout: 20 },
      },
    ]);
  });

  it('shares the work among leases when it is told to', async () => {
    expect((await run('operator', '--shards', '8')).operator[0]?.shards).toBe(8);
    expect((await run('operator')).operator[0]?.shards).toBeUndefined();
  });

  it('switches controllers off and lets them take over, in any number and case', async () => {
    const [options] = (await run('operator', '--off', 'Lamp', '--takeover', 'lantern', '--off=lamp')).operator;
    expect(options).toMatchObject({ off: ['lamp', 'lamp'], takeover: ['lantern'] });
    expect((await run('operator')).operator[0]).toMatchObject({ off: [], takeover: [] });
  });

  it('says so when a version has no controllers', async () => {
    const { errors, code } = await runWith([], 'operator', '--off', 'lamp');
    expect(code).toBe(1);
    expect(errors).toMatch(/'lamp' is invalid. No controller has this name; this version has none.\n$/);
  });

  it.each([
    [['embedded', '--prot', '1'], /unknown option '--prot'/],
    [['operator', '--off', 'lump'], /'lump' is invalid. No controller has this name; known: lamp, lantern/],
    [['operator', '--takeover', 'lump'], /'lump' is invalid. No controller has this name; known: lamp, lantern/],
    [['operator', '--takeover', 'lamp', '--off', 'lamp'], /lamp cannot be switched off and taken over at once/],
    [['embedded', '--port', '99999'], /must be a port/],
    [['embedded', '--port', '1e3'], /must be a port/],
    [['operator', '--flink-other-operator', 'Java'], /'Java' is invalid. It must be the name of one namespace/],
    [['operator', '--flink-rest', 'http://gateway/{name}'], /must be 'direct', 'proxy', or a URL such as/],
    [
      ['operator', '--webhook-port', '9443'],
      /--webhook-port belongs together with --webhook-certs or --webhook-service/,
    ],
    [['operator', '--webhook-service', 'hooks'], /--webhook-port belongs together with/],
    [['operator', '--webhook-port', '1', '--webhook-service', 'Hooks!'], /must be the name of a Service/],
    [['operator', '--webhook-port', '1', '--webhook-certs', 'd', '--webhook-service', 'h'], /give one of them/],
    [['operator', '--webhook-configuration', 'h'], /give --webhook-service too/],
    [['uninstall', '--timeout', '0'], /must be a number of seconds/],
    [['operator', '--shards', '1'], /must be a number: 2 to 64/],
    [['operator', '--shards', '4', '--no-leader-elect'], /--shards needs the leases/],
    [['operator', '--log-level', 'loud'], /Allowed choices are debug, info, warn, error/],
    [['embedded', 'extra'], /too many arguments/],
    [['deploy'], /unknown command 'deploy'/],
  ])('answers %j with one clear line and exit code 1', async (args, message) => {
    const { errors, code } = await run(...args);
    expect(code).toBe(1);
    expect(errors).toMatch(message);
    expect(errors.trimEnd().split('\n')).toHaveLength(1);
  });

  it('runs the families it is told to, and opens the CF API where it is told to', async () => {
    const { operator } = await run(
      'operator',
      '--family',
      'Outdoors',
      '--cf-api-port',
      '8443',
      '--cf-api-certs',
      'certs',
    );
    expect(operator).toMatchObject([
      { family: ['outdoors'], cfApiPort: 8443, cfApiHost: '0.0.0.0', cfApiCerts: 'certs', cfTrustForwarded: false },
    ]);
    expect((await run('operator')).operator).toMatchObject([{ family: [] }]);
  });

  it('looks at all namespaces, or at those that it is told, each once', async () => {
    expect((await run('operator')).operator).toMatchObject([{ watchNamespace: [] }]);
    const args = ['--watch-namespace', 'team-a', '--watch-namespace=team-b', '--watch-namespace', 'team-a'];
    expect((await run('operator', ...args)).operator).toMatchObject([{ watchNamespace: ['team-a', 'team-b'] }]);
  });

  it.each([
    [['--watch-namespace', 'a,b'], 'It must be the name of one namespace.'],
    [['--watch-namespace', ''], 'It must be the name of one namespace.'],
    [['--family', 'underground'], 'No family has this name; known: indoors, outdoors.'],
    [['--cf-api-certs', 'certs'], '--cf-api-certs is for the CF API, which is served with --cf-api-port'],
  ])('refuses %j', async (args, message) => {
    const { errors, code } = await run('operator', ...args);
    expect({ code, said: errors.includes(message) }).toEqual({ code: 1, said: true });
  });
});
