import { answerWith } from './answer-with.js';
import { forgetOldShells, keepShell } from './shell.js';

/**
 * Keeps the map page and its recent tiles, so that the page opens without a network. Nothing else goes
 * through here: figures, routes and everything about a person are asked of the server or not shown.
 */
declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldShells().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const answer = answerWith(event.request, self.location.origin);
  if (answer !== undefined) event.respondWith(answer);
});
