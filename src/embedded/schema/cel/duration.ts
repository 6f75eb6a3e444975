import { Environment } from '@marcbachmann/cel-js';

const parse = new Environment().registerVariable('text', 'string').parse('duration(text)');

const units: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  µ: 1e-6,
  ms: 1e-3,
  mil: 1e-3,
  mic: 1e-6,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};

/** A duration in Go's spelling (`1h30m`), or the looser one that the format also allows (`2 days`). */
export function parseDuration(text: string): unknown {
  try {
    return parse({ text: text === '0' ? '0s' : text });
  } catch {
    let seconds = 0;
    for (const [, amount, unit = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
      const name = unit.toLowerCase();
      const factor = units[name.slice(0, 3)] ?? units[name.slice(0, 2)] ?? units[name[0] ?? ''] ?? 0;
      seconds += Number(amount) * factor;
    }
    return parse({ text: `${seconds.toFixed(9)}s` });
  }
}
