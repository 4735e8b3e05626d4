/** Texts of the live figures. */

export const figures = 'Live figures';
export const pointsPerSecond = 'Points per second';
export const drivers = 'Drivers';
export const navigations = 'Navigations';
export const reroutes = 'Reroutes';
export const metricVersion = 'Metric version';
export const causeToPush = 'Cause to push';
export const milliseconds = 'ms';
export const noDemoTokens =
  'This server does not issue demo tokens. Sign in as an operator to see drivers and to close roads.';
