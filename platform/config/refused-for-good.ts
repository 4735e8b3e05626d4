/**
 * Codes and names of errors that no waiting mends: certificates that are not trusted, have expired or are for
 * another host; users and passwords that a server does not accept (PostgreSQL, Redis, kafkajs).
 */
const marks: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  '28000',
  '28P01',
  'KafkaJSSASLAuthenticationError',
  'AuthenticationError',
]);
const answers = /^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)/;
const depthMax = 8;

interface Inspected {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  /** kafkajs. */
  readonly originalError?: unknown;
  readonly errors?: readonly unknown[];
  /** cassandra-driver: by host. */
  readonly innerErrors?: Readonly<Record<string, unknown>>;
}

/** True if a server, or we, refused the connection for a reason that stays until settings change. */
export function isRefusedForGood(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > depthMax) return false;
  const { code, name, message, cause, originalError, errors = [], innerErrors = {} } = error as Inspected;
  if (marks.has(String(code)) || marks.has(String(name))) return true;
  if (typeof message === 'string' && answers.test(message)) return true;
  const within = [cause, originalError, ...errors, ...Object.values(innerErrors)];
  return within.some((inner) => isRefusedForGood(inner, depth + 1));
}
