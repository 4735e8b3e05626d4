/** Texts of a running navigation. The reasons of reroutes come from the server. */

export const navigation = 'Navigation';
export const connecting = 'Connecting…';
export const connectionLost = 'Connection lost. Your route stays on screen. Reconnecting…';
export const remaining = (distance: string, arrival: string) => `${distance} · arrive ${arrival}`;
export const progress = 'Share of the route completed';
export const arrived = 'You have arrived';
export const done = 'Done';
export const unreachable = (reason: string) => `${reason} You will get a route as soon as one is available.`;
export const rerouted = (times: number, lastMs: number, reason: string) =>
  `Rerouted ${times === 1 ? 'once' : `${times} times`}, last in ${lastMs} ms: ${reason}`;
export const end = 'End';
export const follow = 'Follow';

// The banner of a reroute.
export const detour = (reason: string) => `${reason}: rerouted`;
export const fasterRoute = (saved: string) => `Faster route, saves ${saved}`;
export const betterRoute = 'Better route';
export const causeToYou = (ms: number) => `${ms} ms from cause to you`;
export const dismiss = 'Dismiss';
