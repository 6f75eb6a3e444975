import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLinesIn, problemOf, strictProblemOf } from './command-lines.ts';

const operate = join(import.meta.dirname, '..', '..', 'docs', 'operate');
const pages = readdirSync(operate, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md') && !file.includes('generated'))
  .sort();
const text = (page: string): string => readFileSync(join(operate, page), 'utf8');

describe('commands of a page can be typed', () => {
  it.each(pages.filter((page) => commandLinesIn(text(page)).length > 0))('%s', async (page) => {
    const problems = await Promise.all(
      commandLinesIn(text(page)).map(async (line) => {
        const problem = await strictProblemOf(line);
        return problem === undefined ? [] : [`${line}: ${problem}`];
      }),
    );
    expect(problems.flat()).toEqual([]);
  });

  it.each([
    ['cutover lst', "unknown command 'lst'"],
    ['cutover list --filtre x', 'list has no --filtre x'],
    ['cutover get -n shop', 'get needs 1 words'],
    ['cutover operator --famly flink', "unknown option '--famly'"],
    ['cutover operator --family flinc', 'No family has this name'],
    ['cutover operator --webhook-port 9443', '--webhook-port belongs together with'],
    ['cutover install generate --values a.yaml --set replicas=1 > cutover.yaml', undefined],
    ['cutover install genrate', "unknown command 'genrate'"],
    ['cutover uninstall now', 'too many arguments'],
    ['cutover kudo plan stats --instance a', 'plan has no command stats'],
    ['kubectl kudo update --instance a -n b -p A=1', undefined],
    ['kubectl kudo update -p A=1', 'update needs --instance <name>'],
    ['KUBECONFIG=x npm run -s cutover -- kudo plan status --instnce a   # why?', 'status has no --instnce a'],
    ['npm ci && npm run frob', 'package.json has no script frob'],
    ['npm start -- --data DIR --cf-api-port x', 'It must be a port'],
    ['node test/frob.ts', 'there is no test/frob.ts'],
    ['kubectl frobnicate pods', 'kubectl has no frobnicate that a page should use'],
    ["cutover get 'Instance/a' -n b | grep x", undefined],
    ['cutover kudo …', undefined],
  ])('unless it is %s', async (line, problem) => {
    const found = await problemOf(line);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});

describe('runbooks', () => {
  it.each(pages.filter((page) => /runbooks\/Cutover/.test(page)))('%s: meaning, impact, diagnosis, cure', (page) => {
    const headings = [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
    expect(headings).toEqual([page.replace(/^.*\/|\.md$/g, ''), 'Impact', 'Diagnose', 'Mend']);
    expect(commandLinesIn(text(page)).length).toBeGreaterThan(0);
  });
});
