import { scriptUrlPolicy } from '../http/script-url-policy.js';

/** MapLibre passes the address of its worker as a plain string, for which there is the default policy. */
export function trustWorker(workerUrl: string): void {
  scriptUrlPolicy('default', workerUrl);
}
