import { describe, expect, it } from 'vitest';
import { flatConfig } from '../config/flink-config.ts';
import { errorMessage, errorText, isError } from './error-text.ts';

const plain = flatConfig({});

const trace = `org.apache.flink.runtime.JobException: Recovery is suppressed
	at org.apache.flink.runtime.Failover.handle(Failover.java:219)
Caused by: java.lang.RuntimeException: cannot read
	at rig.CountJob.run(CountJob.java:52)
Caused by: java.io.IOException: bucket is gone
	at rig.Storage.read(Storage.java:7)
Caused by: java.net.ConnectException: Connection refused
	at java.base/sun.nio.ch.Net.connect(Net.java:1)
`;

/** The error of a failed job, with these keys of `kubernetes.operator.exception` set. */
function failed(settings: Readonly<Record<string, string>> = {}) {
  const keys = Object.entries(settings).map(([key, value]) => [`kubernetes.operator.exception.${key}`, value]);
  return JSON.parse(errorText(flatConfig(Object.fromEntries(keys)), 'job', 'it failed', { trace })) as {
    readonly message: string;
    readonly stackTrace?: string;
    readonly additionalMetadata: object;
    readonly throwableList: readonly { readonly type: string; readonly message: string }[];
  };
}

describe('the text of status.error', () => {
  it('is the JSON object that the Java operator writes', () => {
    expect(errorText(plain, 'validation', 'no "name"')).toBe(
      '{"type":"org.apache.flink.kubernetes.operator.exception.ValidationException","message":"no \\"name\\"","additionalMetadata":{},"throwableList":[]}',
    );
  });

  it('lists the outermost causes of a failed job', () => {
    expect(failed().throwableList).toEqual([
      { type: 'java.lang.RuntimeException', message: 'cannot read', additionalMetadata: {} },
      { type: 'java.io.IOException', message: 'bucket is gone', additionalMetadata: {} },
    ]);
  });

  it.each([
    ['0', 0],
    ['1', 1],
    ['10', 3],
    ['-1', 0],
  ])('lists at most %s of them when asked to', (count, listed) => {
    expect(failed({ 'throwable.list.max.count': count }).throwableList).toHaveLength(listed);
  });

  it('has the stack trace only when asked to, and only as much of it', () => {
    expect(failed()).not.toHaveProperty('stackTrace');
    expect(failed({ 'stacktrace.enabled': 'true' }).stackTrace).toBe(trace);
    const short = failed({ 'stacktrace.enabled': 'true', 'stacktrace.max.length': '20' }).stackTrace;
    expect(short).toBe(`${trace.slice(0, 19)}…`);
    const without = errorText(flatConfig({ 'kubernetes.operator.exception.stacktrace.enabled': true }), 'upgrade', 'x');
    expect(without).not.toContain('stackTrace');
  });

  it('is bounded, by 2048 characters a field or by what is configured', () => {
    expect(errorMessage(errorText(plain, 'job', 'x'.repeat(10_000)))).toHaveLength(2048);
    const { message, throwableList } = failed({ 'field.max.length': '8' });
    expect(message).toBe('it fail…');
    expect(throwableList[0]).toMatchObject({ type: 'java.la…', message: 'cannot …' });
    expect(failed({ 'field.max.length': '0' }).message).toBe('');
  });

  it('keeps its type however short fields are, because rules go by it', () => {
    const config = flatConfig({ 'kubernetes.operator.exception.field.max.length': 1 });
    expect(isError(errorText(config, 'validation', 'no'), 'validation')).toBe(true);
  });

  it('says why Kubernetes could not start a pod', () => {
    const text = errorText(plain, 'deployment', 'pod a: no such image', { reason: 'ImagePullBackOff' });
    expect(JSON.parse(text)).toMatchObject({ additionalMetadata: { reason: 'ImagePullBackOff' } });
  });

  it('has the labels of all expressions that match it or one of its causes, and each cause its own', () => {
    const { additionalMetadata, throwableList } = failed({
      'label.mapper': 'it fail:job,^cannot:reading,bucket.*gone:storage,ConnectException:network,nowhere:never',
    });
    expect(additionalMetadata).toEqual({ labels: ['job', 'reading', 'storage', 'network'] });
    expect(throwableList).toMatchObject([
      { additionalMetadata: { labels: ['reading', 'storage', 'network'] } },
      { additionalMetadata: { labels: ['storage', 'network'] } },
    ]);
  });

  it('says its message and type back', () => {
    const text = errorText(plain, 'upgrade', 'HA metadata is not available');
    expect(errorMessage(text)).toBe('HA metadata is not available');
    expect(isError(text, 'upgrade')).toBe(true);
    expect(isError(text, 'job')).toBe(false);
    expect(isError(undefined, 'job')).toBe(false);
  });

  it('is of its own type, not of that of a cause', () => {
    const caused = 'Caused by: org.apache.flink.kubernetes.operator.exception.ValidationException: no';
    const text = errorText(plain, 'job', 'it failed', { trace: `a.B: c\n${caused}` });
    expect(text).toContain('ValidationException');
    expect(isError(text, 'validation')).toBe(false);
  });

  it.each(['Job Not Found', '{"message":7}', '[]', '{', 'null'])('takes any other text as it is: %s', (text) => {
    expect(errorMessage(text)).toBe(text);
  });
});
