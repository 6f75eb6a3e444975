import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { tellNews } from '../../src/cli/news.ts';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { flinkFamily } from '../../src/flink/family.ts';
import { followed, toldAnyway } from '../../src/flink/news.ts';
import { flinkBlueGreenDeployment } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { type FlinkSample, samples } from '../../src/flink/sample.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { namespace } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const sample = samples.find(({ file }) => file === 'blue-green.yaml') ?? expect.fail('there is no such sample');

/** The manifest after a person made the edit: the line of that key, commented out or not, reads as it says. */
function edited({ manifest, file }: FlinkSample, edit: string): string {
  const line = new RegExp(`^( *)(# )?${edit.slice(0, edit.indexOf(':') + 1)} .*$`, 'm');
  expect(manifest, file).toMatch(line);
  return manifest.replace(line, `$1${edit}`);
}

/** The `-p` of the printed commands: merge patches. */
function patches({ commands }: FlinkSample): readonly object[] {
  return commands.flatMap((command) => {
    const [, resource, text] = /^kubectl patch (\S+ \S+) --type merge -p '([^']*)'$/.exec(command) ?? [];
    if (text === undefined) return [];
    expect(resource).toBe('flinkbgdep orders');
    return [parse(text) as object];
  });
}

function objects(text: string): readonly AnyObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as AnyObject);
}

/** The sample on a stage, and what is read aloud of it from now on. */
async function opened() {
  const stage = await FlinkStage.open();
  const lines: string[] = [];
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await stage[Symbol.asyncDispose]();
  });
  const orders = stage.person.resource(flinkBlueGreenDeployment.type);
  const { person: client, clock } = stage;
  const say = (line: string): void => void lines.push(line);
  const from = 'cutover.dev/operator';
  void tellNews({ client, clock, from, except: toldAnyway, followed, say, signal: stop.signal });
  stage.start();
  await clock.advance(100);
  for (const object of objects(sample.manifest)) await stage.apply(object);

  /** What is told until the line, and a while longer for what is told aside. */
  const hear = async (last: RegExp, ms = 5_000): Promise<readonly string[]> => {
    await stage.until(`${last} is told`, () => lines.some((line) => last.test(line)));
    await clock.advance(ms);
    return lines.splice(0);
  };
  const patch = async (body: object): Promise<void> => {
    await orders.patch({ namespace, name: 'orders' }, { type: 'merge', body });
  };
  await hear(/orders is ACTIVE_BLUE/);
  return { hear, patch };
}

/** How the resource fared, line by line. */
function states(lines: readonly string[]): readonly string[] {
  const start = 'FlinkBlueGreenDeployment orders is ';
  return lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
}

describe('the samples', () => {
  const family = flinkFamily(defaultOperatorConfig);
  const edits = samples.flatMap((one) => one.edits.map(([edit]) => ({ file: one.file, edit, one })));

  it.each(edits)('$file takes the edit $edit', ({ one, edit }) => {
    const after = objects(edited(one, edit));
    expect(after).not.toEqual(objects(one.manifest));
    for (const object of after) expect(family.validate(object, { find: () => 'unknown' })).toEqual([]);
  });

  it('have a command for every edit of the blue/green one', () => {
    const wanted = sample.edits.map(([edit]) => ({ spec: { template: { spec: { job: parse(edit) } } } }));
    const printed = patches(sample);
    expect(printed).toHaveLength(wanted.length);
    expect(printed).toEqual(expect.arrayContaining(wanted));
  });
});

describe('the blue/green sample', () => {
  const [transition, failure, redeploy] = patches(sample) as [object, object, object];

  it('changes over with a savepoint, and tells who serves', async () => {
    const { hear, patch } = await opened();
    await patch(transition);
    const lines = await hear(/orders-blue is gone/);
    expect(states(lines)).toEqual([
      'SAVEPOINTING_BLUE, blue serves',
      'TRANSITIONING_TO_GREEN, blue serves',
      'TRANSITIONING_TO_GREEN, green serves',
      'ACTIVE_GREEN, green serves',
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^FlinkStateSnapshot orders-savepoint-\w+ is in s3:\/\/sample/));
    expect(lines).toContain('FlinkBlueGreenDeployment orders: TrafficMoved: Traffic is at green.');
    // A line for each step of a side, and nothing told twice.
    expect(lines.filter((line) => line.includes('orders-green'))).toEqual(
      ['UPGRADING', 'DEPLOYED', 'STABLE'].map((state) => `FlinkDeployment orders-green is ${state}`),
    );
    expect(lines.length).toBeLessThanOrEqual(12);
  });

  it('gives a side up that fails, says why, and forgets it when the template is put back', async () => {
    const { hear, patch } = await opened();
    await patch(failure);
    const lines = await hear(/TransitionAborted/);
    expect(states(lines)).toEqual([
      'SAVEPOINTING_BLUE, blue serves',
      'TRANSITIONING_TO_GREEN, blue serves',
      'ACTIVE_BLUE, blue serves',
    ]);
    const why = /^! Flink\w+ orders: TransitionAborted: .*not ready by .*orders-green is FAILED: .*induced failure/;
    expect(lines).toContainEqual(expect.stringMatching(why));

    await patch({ spec: { template: { spec: { job: { args: [] } } } } });
    expect(states(await hear(/orders-green is gone/))).toEqual([]);
  });

  it('drops a transition for a redeploy nonce, and starts over without state', async () => {
    const { hear, patch } = await opened();
    await patch(transition);
    await hear(/orders-green is DEPLOYED/, 0);
    await patch(redeploy);
    const lines = await hear(/orders-blue is gone/);
    expect(states(lines)).toEqual([
      'ACTIVE_BLUE, blue serves',
      'TRANSITIONING_TO_GREEN, blue serves',
      'TRANSITIONING_TO_GREEN, green serves',
      'ACTIVE_GREEN, green serves',
    ]);
    for (const reason of ['TransitionSuperseded', 'StateDropped']) {
      expect(lines).toContainEqual(expect.stringContaining(`! FlinkBlueGreenDeployment orders: ${reason}: `));
    }
  });
});
