const units = [
  { letter: 'd', ms: 86_400_000 },
  { letter: 'h', ms: 3_600_000 },
  { letter: 'm', ms: 60_000 },
  { letter: 's', ms: 1000 },
] as const;

/** `3.4s`, `41s`, `1m19s`, `2h5m`, `3d4h`: in at most two units. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '?';
  const whole = Math.max(0, ms);
  if (whole < 9950) return `${Math.round(whole / 100) / 10}s`;
  const rounded = Math.round(whole / 1000) * 1000;
  const at = units.findIndex((unit) => rounded >= unit.ms);
  const [first, second] = [units[at], units[at + 1]];
  if (!first) return '0s';
  const rest = second ? Math.floor((rounded % first.ms) / second.ms) : 0;
  return `${Math.floor(rounded / first.ms)}${first.letter}${second && rest > 0 ? `${rest}${second.letter}` : ''}`;
}

/** As `duration`, in whole seconds, for what counts while somebody looks: `0s`, `9s`, `1m19s`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 10 ? `${seconds}s` : duration(seconds * 1000);
}

/** A hundred years: nobody waits longer, and a time that is further away may be none that can be written. */
const longest = 36_500 * 86_400_000;

/** Milliseconds of `90s`, `10m`, `1h30m`, `2d` or plain seconds; undefined for anything else and for what nobody waits for. */
export function parseDuration(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  if (!/^(\d{1,9}[smhd])+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, letter] of text.matchAll(/(\d+)([smhd])/g)) {
    total += Number(amount) * (units.find((unit) => unit.letter === letter)?.ms ?? 0);
  }
  return total <= longest ? total : undefined;
}
