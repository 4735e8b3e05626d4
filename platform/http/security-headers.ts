const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `\r\n${name}: ${value}`)
    .join('');

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * Header lines of every answer, each with a line break in front. JSON and tiles: nothing in them is ever a
 * document.
 */
export const apiHeaderLines = linesOf({
  ...everywhere,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
});

/** Documents have their own policy. */
export const pageHeaderLines = linesOf({
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

/** A Content-Security-Policy that forbids everything that a page does not declare. */
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
