const stranger =
  "the server's certificate was issued by nobody we trust: is the certificate authority of the kubeconfig that of this cluster?";

/** What a person can do something about, by Node's code. */
const words: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the server's certificate has expired, if the clock of this machine is right",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet, if the clock of this machine is right",
  CERT_SIGNATURE_FAILURE: stranger,
  DEPTH_ZERO_SELF_SIGNED_CERT: stranger,
  SELF_SIGNED_CERT_IN_CHAIN: stranger,
  UNABLE_TO_GET_ISSUER_CERT: stranger,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: stranger,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: stranger,
};

/** Why a server is not believed to be who it should be, in words; `undefined` when the failure is another one. */
export function tlsWords({ code = '' }: NodeJS.ErrnoException): string | undefined {
  return words[code];
}
