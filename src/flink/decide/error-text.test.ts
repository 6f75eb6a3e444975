import { describe, expect, it } from 'vitest';
import { errorMessage, errorText, isError } from './error-text.ts';

describe('the text of status.error', () => {
  it('is the JSON object that the Java operator writes', () => {
    expect(errorText('validation', 'no "name"')).toBe(
      '{"type":"org.apache.flink.kubernetes.operator.exception.ValidationException","message":"no \\"name\\"","additionalMetadata":{},"throwableList":[]}',
    );
  });

  it('is bounded', () => {
    expect(errorMessage(errorText('job', 'x'.repeat(10_000)))).toHaveLength(2048);
  });

  it('says its message and type back', () => {
    const text = errorText('upgrade', 'HA metadata is not available');
    expect(errorMessage(text)).toBe('HA metadata is not available');
    expect(isError(text, 'upgrade')).toBe(true);
    expect(isError(text, 'job')).toBe(false);
    expect(isError(undefined, 'job')).toBe(false);
  });

  it.each(['Job Not Found', '{"message":7}', '[]', '{', 'null'])('takes any other text as it is: %s', (text) => {
    expect(errorMessage(text)).toBe(text);
  });
});
