import { readFileSync } from 'node:fs';

/** What TLS towards JobManagers needs, in Node's own words. */
export interface RestTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly checkServerIdentity?: () => undefined;
}

/** What the environment says about TLS cannot be followed; the message says what to do. */
class RestTlsError extends Error {
  override readonly name = 'RestTlsError';
}

/**
 * TLS for clusters with `security.ssl.rest.enabled`, from PEM files that the environment names:
 *
 * - `FLINK_REST_CA_FILE`: the authorities that may have signed a JobManager's certificate. With it, as in Flink's own client,
 *   any name in such a certificate is accepted: the authority is private, and Flink's certificates seldom name the Service.
 *   Without it the authorities that Node trusts are asked, and the name must be right.
 * - `FLINK_REST_CERT_FILE`, `FLINK_REST_KEY_FILE`: our own certificate and its key, for
 *   `security.ssl.rest.authentication-enabled`.
 *
 * Java key stores cannot be read: a variable of the Java operator without one of these is refused with what to do.
 */
export function restTls(
  env: Readonly<Record<string, string | undefined>>,
  read: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): RestTls {
  const { FLINK_REST_CA_FILE: ca, FLINK_REST_CERT_FILE: cert, FLINK_REST_KEY_FILE: key } = env;
  if (env.OPERATOR_TRUSTSTORE_PATH && !ca)
    throw new RestTlsError(convert('OPERATOR_TRUSTSTORE_PATH', 'FLINK_REST_CA_FILE'));
  if (env.OPERATOR_KEYSTORE_PATH && !cert)
    throw new RestTlsError(convert('OPERATOR_KEYSTORE_PATH', 'FLINK_REST_CERT_FILE'));
  if (Boolean(cert) !== Boolean(key)) {
    throw new RestTlsError('FLINK_REST_CERT_FILE and FLINK_REST_KEY_FILE belong together: set both or none');
  }
  return {
    ...(ca && { ca: pem('FLINK_REST_CA_FILE', ca, read), checkServerIdentity: () => undefined }),
    ...(cert && { cert: pem('FLINK_REST_CERT_FILE', cert, read) }),
    ...(key && { key: pem('FLINK_REST_KEY_FILE', key, read) }),
  };
}

function pem(variable: string, path: string, read: (path: string) => string): string {
  let text: string;
  try {
    text = read(path);
  } catch (error) {
    throw new RestTlsError(`${variable}: ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (!text.includes('-----BEGIN ')) throw new RestTlsError(`${variable}: ${path} is not PEM`);
  return text;
}

function convert(theirs: string, ours: string): string {
  return `${theirs} names a Java key store, which cannot be read here: convert it to PEM (keytool -importkeystore to PKCS12, then openssl pkcs12) and set ${ours}`;
}
