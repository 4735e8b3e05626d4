interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): unknown };
}

/**
 * Under Trusted Types the address of a script must come from a policy: one that allows this address and
 * nothing else, neither HTML nor the text of a script. Undefined where the browser has none.
 */
export function scriptUrlPolicy(name: string, allowed: string) {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy(name, {
    createScriptURL(address) {
      if (address !== allowed) throw new TypeError(`This page does not run scripts from ${address}.`);
      return address;
    },
  });
}
