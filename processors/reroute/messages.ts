/** Texts for drivers about a reroute: why their route changed, or why there is none. */
import type { NoRoute } from './no-route.js';

export const reachableAgain = 'Your destination can be reached again';
export const removedRoad = 'A road on your route is no longer on the map';
export const roadClosed = (name: string) =>
  name === '' ? 'A road on your route is closed' : `${name} is closed`;

export function faster(savedMs: number, via: string): string {
  const saved =
    savedMs < 120_000 ? `${Math.round(savedMs / 1_000)} s` : `${Math.round(savedMs / 60_000)} min`;
  return via === '' ? `Another route: ${saved} faster` : `Via ${via}: ${saved} faster`;
}

const unreachable = 'Your destination cannot be reached right now';

export function noRoute(reason: NoRoute, avoid: readonly string[], isRemoved: boolean): string {
  switch (reason) {
    case 'unreachable':
      if (isRemoved) return `${unreachable}: no road on the map leads to it.`;
      return `${unreachable}: all roads to it are closed.`;
    case 'avoided':
      return `${unreachable} without ${avoid.join(' or ')}: all other roads to it are closed.`;
    case 'no-road':
      return 'Your route is closed, and there is no road near you for another one.';
  }
}
