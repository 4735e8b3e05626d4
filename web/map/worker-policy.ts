interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): unknown;
}

/**
 * Under Trusted Types a worker's address must come from a policy, and MapLibre passes a plain string. The
 * default policy of this page allows that one address and nothing else: no HTML, no script text, no other
 * script.
 */
export function trustWorker(workerUrl: string): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      if (address !== workerUrl) throw new TypeError(`This page does not run scripts from ${address}.`);
      return address;
    },
  });
}
