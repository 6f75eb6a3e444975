/**
 * A label of which a metric never has more than `most` values: each value is a time series that somebody stores for weeks. What
 * is no single word of letters, or comes after the last that has room, counts as `Other`.
 */
export function boundedLabel(most: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= most || !/^[A-Za-z]{1,64}$/.test(value)) return 'Other';
    known.add(value);
    return value;
  };
}
