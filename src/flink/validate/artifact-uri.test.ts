import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { artifactFault } from './artifact-uri.ts';

const policy = { schemes: ['https'], restrictHosts: true };

describe('artifactFault', () => {
  it.each([
    'https://repo.example.com/jobs/count-1.2.jar',
    'HTTPS://repo.example.com/count.jar',
    'https://repo.example.com:8443/a%20b.jar?X-Signature=abc',
    'https://1.1.1.1/count.jar',
    'https://[2606:4700:4700::1111]/count.jar',
    'https://repo.example.com./count.jar',
    'https://localhost.example.com/count.jar',
    'https://internal.example.com/count.jar',
  ])('lets %s be', (uri) => {
    expect(artifactFault(uri, policy)).toBeUndefined();
  });

  it.each([
    ['not a uri at all', 'syntax', 'illegal character " " at index 3; write %20 for it'],
    ['https://repo.example.com/100%/a.jar', 'syntax', 'write %25 for a percent sign'],
    ['https:///a.jar', 'syntax', 'names no valid host; write https://HOST/PATH'],
    ['https:a.jar', 'syntax', 'names no valid host'],
    ['https://re_po:99999/a.jar', 'syntax', 'names no valid host'],
    ['https://1.2.3.4.5/a.jar', 'syntax', 'names no valid host'],
    ['https://a\\@b.example.com/a.jar', 'syntax', 'illegal character "\\\\"'],
    ['https://127.0.0.1\t/a.jar', 'syntax', 'illegal character "\\t"'],
    ['count.jar', 'scheme', 'has no scheme; begin it with https:'],
    ['//repo.example.com/count.jar', 'scheme', 'has no scheme'],
    ['http://repo.example.com/count.jar', 'scheme', 'has the scheme "http", which is not allowed; use https:'],
    ['file:///etc/passwd', 'scheme', 'has the scheme "file"'],
    ['local:///opt/flink/usrlib/a.jar', 'scheme', 'has the scheme "local"'],
    [
      'https://me:hush@repo.example.com/a.jar',
      'credentials',
      'https://…@repo.example.com/a.jar has a user or password',
    ],
    ['https://me@repo.example.com/a.jar', 'credentials', 'has a user or password'],
    ['https://localhost/a.jar', 'host', 'the machine itself'],
    ['https://LOCALHOST./a.jar', 'host', 'the machine itself'],
    ['https://deep.localhost/a.jar', 'host', 'the machine itself'],
    ['https://127.0.0.1/a.jar', 'host', 'loopback'],
    ['https://127.1/a.jar', 'host', '"127.0.0.1": its address is loopback'],
    ['https://0177.0.0.1/a.jar', 'host', 'loopback'],
    ['https://0x7f000001/a.jar', 'host', 'loopback'],
    ['https://2130706433/a.jar', 'host', 'loopback'],
    ['https://2852039166/latest/meta-data', 'host', 'link-local, where clouds keep their metadata'],
    ['https://127.0.0.1./a.jar', 'host', 'loopback'],
    ['https://１２７.0.0.1/a.jar', 'host', 'loopback'],
    ['https://%6cocalhost/a.jar', 'host', 'the machine itself'],
    ['https://[::1]/a.jar', 'host', 'loopback'],
    ['https://[::ffff:169.254.169.254]/a.jar', 'host', 'link-local'],
    ['https://[0:0:0:0:0:ffff:7f00:1]/a.jar', 'host', 'loopback'],
    ['https://169.254.169.254/latest', 'host', 'link-local'],
    ['https://metadata.google.internal/x', 'host', 'clouds keep their metadata'],
    ['https://kubernetes.default.svc/x', 'host', 'a service of the cluster'],
    ['https://repo.ns.svc.cluster.local/a.jar', 'host', 'a service of the cluster'],
    ['https://artifacts/a.jar', 'host', 'a name without a dot'],
  ])('refuses %s for its %s', (uri, what, message) => {
    const fault = artifactFault(uri, policy);
    expect(fault?.what).toBe(what);
    expect(fault?.message).toContain(message);
  });

  it('never shows what may be secret', () => {
    for (const uri of [
      'https://me:hush@localhost/a.jar?signature=hush',
      'ftp://me:hush@host/a?hush#hush',
      'https://localhost/a?hush',
      'https://me:hush @localhost/',
    ]) {
      expect(artifactFault(uri, policy)?.message).not.toContain('hush');
    }
  });

  it('reaches inside when the operator is told so', () => {
    const open = { schemes: ['http', 's3'], restrictHosts: false };
    expect(artifactFault('http://minio.storage.svc:9000/a.jar', open)).toBeUndefined();
    expect(artifactFault('s3://localhost/a.jar', { ...open, restrictHosts: true })).toBeUndefined();
    expect(artifactFault('https://repo.example.com/a.jar', open)?.message).toContain('use http: or s3:');
    expect(artifactFault('https://repo.example.com/a.jar', { ...open, schemes: [] })?.message).toContain(
      'none is allowed',
    );
  });

  it('answers for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((rest) => `https://${rest}`),
        ),
        (uri) => {
          artifactFault(uri, policy);
        },
      ),
    );
  });
});
