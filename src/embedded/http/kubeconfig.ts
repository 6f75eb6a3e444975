/** What a client needs to speak to a cluster as its administrator. */
export interface Access {
  readonly url: string;
  /** The cluster's authority, as PEM. */
  readonly ca: string;
  /** The administrator's certificate, as PEM. */
  readonly admin: { readonly cert: string; readonly key: string };
}

/** The text of a kubeconfig file. It holds a private key: keep it to yourself. */
export function kubeconfig({ url, ca, admin }: Access, name = 'cutover'): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${name}`,
    '  cluster:',
    `    server: ${url}`,
    `    certificate-authority-data: ${base64(ca)}`,
    'users:',
    `- name: ${name}-admin`,
    '  user:',
    `    client-certificate-data: ${base64(admin.cert)}`,
    `    client-key-data: ${base64(admin.key)}`,
    'contexts:',
    `- name: ${name}`,
    '  context:',
    `    cluster: ${name}`,
    `    user: ${name}-admin`,
    `current-context: ${name}`,
    '',
  ].join('\n');
}
