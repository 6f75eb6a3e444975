import type { Upload } from './wire.ts';

/** A jar to be uploaded. */
export interface Jar extends Upload {
  /** Of the file, without folders. */
  readonly name: string;
}

/** The form that Flink takes jars in: one part, of the type that it insists on. `id` keeps its parts apart. */
export function jarForm(jar: Jar, id: string): { readonly headers: Record<string, string>; readonly body: Upload } {
  const boundary = `cutover-${id}`;
  const head = Buffer.from(
    [
      `--${boundary}`,
      `Content-Disposition: form-data; name="jarfile"; filename="${jarName(jar.name)}"`,
      'Content-Type: application/x-java-archive',
      '',
      '',
    ].join('\r\n'),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: {
      size: head.length + jar.size + tail.length,
      async *open() {
        yield head;
        yield* jar.open();
        yield tail;
      },
    },
  };
}

/** A name that cannot break the form, and that ends as Flink demands. */
function jarName(name: string): string {
  const safe =
    name
      .replace(/[^\w.-]/g, '_')
      .replace(/^\.+/, '')
      .slice(-100) || 'job';
  return safe.endsWith('.jar') ? safe : `${safe}.jar`;
}
