import { scriptUrlPolicy } from '../http/script-url-policy.js';

const address = '/service-worker.js';

/**
 * Keeps the page for times without a network. After it has loaded, so that the first visit waits for nothing;
 * without a secure origin or with storage forbidden the page works as before.
 */
export function runServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const trusted = scriptUrlPolicy('service-worker', address)?.createScriptURL(address) ?? address;
  addEventListener('load', () => {
    navigator.serviceWorker.register(trusted as string).catch(() => {});
  });
}
