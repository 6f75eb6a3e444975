/** A floating-point number as Java writes it: `1.0`, `0.75`, `1.0E-4`, `1.2E7`. */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e7)) {
    const text = String(value);
    return text.includes('.') ? text : `${text}.0`;
  }
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`;
}
