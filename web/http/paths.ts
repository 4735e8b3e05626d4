import type { getAutocomplete, getGeocode } from '#schemas/http/geocode.js';
import type { listIncidents } from '#schemas/http/incidents.js';
import type { postIsochrone } from '#schemas/http/isochrone.js';
import type { getFleet, getStatus, getTileJson, getTraffic } from '#schemas/http/map.js';
import type { getNav } from '#schemas/http/nav.js';
import type { postNavSteps } from '#schemas/http/nav-steps.js';
import type { navStreamPath, navStreamSubprotocol } from '#schemas/nav-stream.js';

// Written out, because importing the contracts would bring their schemas into the bundle. Each has the
// literal type of its contract, so the compiler refuses an address that the contract does not have.
export const statusPath: (typeof getStatus)['path'] = '/v1/status';
export const tileJsonPath: (typeof getTileJson)['path'] = '/v1/tiles.json';
export const trafficPath: (typeof getTraffic)['path'] = '/v1/traffic';
export const fleetPath: (typeof getFleet)['path'] = '/v1/fleet';
export const navPath: (typeof getNav)['path'] = '/v1/nav';
export const navStepsPath: (typeof postNavSteps)['path'] = '/v1/nav/steps';
export const geocodePath: (typeof getGeocode)['path'] = '/v1/geocode';
export const autocompletePath: (typeof getAutocomplete)['path'] = '/v1/autocomplete';
export const incidentsPath: (typeof listIncidents)['path'] = '/v1/incidents';
export const isochronePath: (typeof postIsochrone)['path'] = '/v1/isochrone';
export const streamPath: typeof navStreamPath = '/v1/nav/stream';
export const streamSubprotocol: typeof navStreamSubprotocol = 'nav.v1.json';
