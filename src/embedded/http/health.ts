import { type Answer, textAnswer } from './answer.ts';

/** Answers probes. The server has no parts that could fail by themselves: who can ask is answered `ok`. */
export function health(path: string, query: URLSearchParams): Answer | undefined {
  const [, probe, check] = /^\/(healthz|livez|readyz)(?:\/(.*))?$/.exec(path) ?? [];
  if (!probe) return undefined;
  if (check !== undefined && check !== '' && !checks.includes(check)) return textAnswer(404, '404 page not found\n');
  if (!query.has('verbose')) return textAnswer(200, 'ok');
  return textAnswer(200, `${checks.map((name) => `[+]${name} ok\n`).join('')}${probe} check passed\n`);
}

const checks = ['ping'];
