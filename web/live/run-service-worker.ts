interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): unknown };
}

const address = '/service-worker.js';

/**
 * Keeps the page for times without a network. After it has loaded, so that the first visit waits for nothing;
 * without a secure origin or with storage forbidden the page works as before.
 */
export function runServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: (text) => text });
  const trusted = policy?.createScriptURL(address) ?? address;
  addEventListener('load', () => {
    navigator.serviceWorker.register(trusted as string).catch(() => {});
  });
}
