import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The chart beside the built program, as `rolldown.config.ts` leaves it there: the texts of its files by their names. */
export const builtChart = 'chart.json';

/** The files of our chart. From source they are those of `charts/cutover`, so that what is rendered is what is written. */
export function chartFiles(): Readonly<Record<string, string>> {
  const here = import.meta.dirname;
  const source = join(here, '../../charts/cutover');
  if (existsSync(join(source, 'Chart.yaml'))) return readChartFolder(source);
  // Built, the code of this file is in `dist/cutover.js` or in `dist/chunks/`.
  const ready = [join(here, builtChart), join(here, '..', builtChart)].find((file) => existsSync(file));
  if (ready === undefined) {
    throw new Error(`the chart is missing: there is no ${join(here, builtChart)}; npm run build makes it`);
  }
  return JSON.parse(readFileSync(ready, 'utf8')) as Readonly<Record<string, string>>;
}

/** What Helm would package of a chart, without what only people read. */
export function readChartFolder(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(md|txt)$|^\.helmignore$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
