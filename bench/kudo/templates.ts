import { templateFunctions } from '../../src/kudo/render/functions.ts';
import { parseTemplate, renderTemplate } from '../../src/kudo/template/template.ts';
import { askGo } from '../../test/real/templates/oracle.ts';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import { largePackage } from './large-package.ts';

/** All templates of a large package, parsed before, by our engine and by Go's with sprig. */
export async function measureTemplates({
  rounds,
  progress,
}: { readonly rounds: number } & Pick<BenchmarkOptions, 'progress'>): Promise<Row> {
  const { templates, parameters } = largePackage();
  const data = {
    ...{ Name: 'large', Namespace: 'default', OperatorName: 'large', OperatorVersion: '0.1.0', AppVersion: '1.0' },
    ...{ PlanName: 'deploy', PhaseName: 'all', StepName: 'all', Params: parameters, Pipes: {} },
  };
  const sources = Object.entries(templates).map(([name, text]) => ({ name, text }));
  const answers = await askGo(sources.map((source) => ({ ...source, data, repeat: rounds })));
  const parsed = sources.map((source) => parseTemplate(source, templateFunctions));
  parsed.forEach((template, at) => {
    const { output, error } = answers[at] ?? {};
    if (renderTemplate(template, data) !== output)
      throw new Error(`${template.name}: Go says otherwise ${error ?? ''}`);
  });
  const theirs = answers.reduce((sum, { nanoseconds = 0 }) => sum + nanoseconds, 0) / 1e6;
  const took: number[] = [];
  for (let round = -Math.ceil(rounds / 4); round < rounds; round++) {
    const began = performance.now();
    for (const template of parsed) renderTemplate(template, data);
    if (round >= 0) took.push(performance.now() - began);
  }
  const ours = median(took);
  progress(`templates: ${ours.toFixed(2)} ms, Go ${theirs.toFixed(2)} ms`);
  const metric = `${sources.length} templates, ${Object.keys(parameters).length} parameters, rendered warm`;
  return ratioRow({ metric, unit: 'ms', ours }, { name: 'Go with sprig', value: theirs }, { most: 5 });
}
