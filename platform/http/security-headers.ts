/**
 * Header lines that every answer carries, ready to be written in one call. The native writer takes a value as it is, so
 * one value with line breaks saves a crossing into native code for each further header on the hot path.
 */
function block(lines: Readonly<Record<string, string>>): { readonly name: string; readonly value: string } {
  const [[name, first] = ['', ''], ...others] = Object.entries(lines);
  return { name, value: [first, ...others.map(([key, value]) => `${key}: ${value}`)].join('\r\n') };
}

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** JSON and tiles: nothing in them is ever a document. */
export const apiHeaderBlock = block({
  ...everywhere,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
});

/** Documents bring a policy of their own. */
export const pageHeaderBlock = block({
  ...everywhere,
  'x-frame-options': 'DENY',
  'strict-transport-security': 'max-age=31536000',
  'cross-origin-opener-policy': 'same-origin',
});

export interface PagePolicy {
  /** Further places that images may come from; `data:` and the own origin always. */
  readonly images?: readonly string[];
  /** Further places that `fetch` and sockets may reach; the own origin always. */
  readonly connections?: readonly string[];
  /** Places that forms may be sent to, for a hosted payment page. */
  readonly formTargets?: readonly string[];
  /** `blob:` workers, which a map renderer starts. */
  readonly blobWorkers?: boolean;
  /** Libraries that set styles by script need it; scripts never get it. */
  readonly inlineStyles?: boolean;
  /** Off only for libraries that write HTML by themselves. */
  readonly trustedTypes?: boolean;
}

/** A Content-Security-Policy that forbids everything a page did not ask for. */
export function contentSecurityPolicy(policy: PagePolicy = {}): string {
  const own = "'self'";
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}${policy.inlineStyles === true ? " 'unsafe-inline'" : ''}`,
    `img-src ${[own, 'data:', ...(policy.images ?? [])].join(' ')}`,
    `font-src ${own} data:`,
    `connect-src ${[own, ...(policy.connections ?? [])].join(' ')}`,
    `worker-src ${own}${policy.blobWorkers === true ? ' blob:' : ''}`,
    `form-action ${[own, ...(policy.formTargets ?? [])].join(' ')}`,
    `manifest-src ${own}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...(policy.trustedTypes === false ? [] : ["require-trusted-types-for 'script'"]),
  ].join('; ');
}
