import { describe, expect, it } from 'vitest';
import { parseOperatorConfig } from '../../../src/flink/config/parse-operator-config.ts';
import type { FlinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { FlinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { validateBlueGreen } from '../../../src/flink/validate/blue-green.ts';
import { validateDeployment } from '../../../src/flink/validate/deployment.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { expectListed, type Found } from './expect-listed.ts';
import { goldenCases, operatorConf } from './load.ts';
import type { RecordedEvent, RecordedStatus } from './recording.ts';

/** Events by which the recorded operator refused a spec. */
const refusals = ['ValidationError', 'UnsupportedFlinkVersion'];

/** One judgement to compare: a resource as it was created, or as an edit made it. */
interface Judged {
  readonly case: string;
  /** `input`, or the name of the edit. */
  readonly at: string;
  readonly refused: string | undefined;
  readonly problems: readonly { readonly rule: string; readonly message: string }[];
}

const parsed = parseOperatorConfig(operatorConf());
if ('problem' in parsed) throw new Error(parsed.problem);
const operator = parsed;

function judge(input: AnyObject, status: RecordedStatus): Judged['problems'] {
  return validateDeployment({ ...input, status } as unknown as FlinkDeployment, { operator });
}

function refusedIn(events: readonly RecordedEvent[]): string | undefined {
  return events.find(({ reason }) => refusals.includes(reason))?.message;
}

const judged: readonly Judged[] = goldenCases()
  .filter(({ kind }) => kind === 'FlinkDeployment')
  .flatMap(({ name, input, events, edits }) => [
    { case: name, at: 'input', refused: refusedIn(events), problems: judge(input, {}) },
    ...edits.map((edit) => ({
      case: name,
      at: edit.name,
      refused: refusedIn(edit.events),
      problems: judge(edit.after, edit.statusBefore),
    })),
  ]);

/** The recorded operator refuses no blue/green deployments. */
const blueGreens: readonly Judged[] = goldenCases()
  .filter(({ kind }) => kind === 'FlinkBlueGreenDeployment')
  .flatMap(({ name, input, edits }) =>
    [{ name: 'input', after: input, statusBefore: {} }, ...edits].map(({ name: at, after, statusBefore }) => ({
      case: name,
      at,
      refused: undefined,
      problems: validateBlueGreen({ ...after, status: statusBefore } as unknown as FlinkBlueGreenDeployment, {
        operator,
      }),
    })),
  );

/** The first sentence without what varies in print: spaces and the final stop. */
function fact(message: string): string {
  return message.replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

describe('refusals', () => {
  it('are those of the recorded operator, in its words and first of all, except where listed', () => {
    const found = judged.flatMap(({ case: name, at, refused, problems }): Found[] => {
      const [first] = problems;
      if (refused === undefined) {
        return problems.map(({ rule, message }) => ({
          case: name,
          where: `${at}: refused only here, ${rule}`,
          detail: message,
        }));
      }
      if (!first) return [{ case: name, where: `${at}: not refused`, detail: refused }];
      if (fact(first.message).startsWith(fact(refused))) return [];
      return [{ case: name, where: `${at}: other words, ${first.rule}`, detail: `${refused} ≠ ${first.message}` }];
    });
    const refusedHere = blueGreens.flatMap(({ case: name, at, problems }) =>
      problems.map(({ rule, message }) => ({
        case: name,
        where: 'a blue/green deployment: refused only here',
        detail: `${at}: ${rule}: ${message}`,
      })),
    );
    expectListed('refusal', [...found, ...refusedHere]);
  });

  it('compare at least thirty recorded ones, and many more acceptances', () => {
    const refused = judged.filter((one) => one.refused !== undefined);
    expect(refused.length).toBeGreaterThanOrEqual(30);
    expect(judged.length - refused.length).toBeGreaterThan(80);
  });
});
