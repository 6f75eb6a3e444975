const suffixes: Readonly<Record<string, number | undefined>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** An amount as Kubernetes writes it, as a number; undefined when it is none. Near enough to compare two of them. */
export function quantityOf(value: string | number): number | undefined {
  const [, amount, suffix = '', exponent] =
    /^([+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40}))(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\d{1,2}))?$/.exec(
      String(value),
    ) ?? [];
  return amount === undefined
    ? undefined
    : Number(amount) * (exponent ? 10 ** Number(exponent) : (suffixes[suffix] ?? 1));
}
