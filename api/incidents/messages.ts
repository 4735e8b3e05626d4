/** Texts for operators about incidents. */

export const tooManyIncidents = 'The maximum number of incidents is active.';
export const noIncident = 'No active incident has this id.';
export const readBeforeRetry = 'Read the incidents before you retry.';

export const wrongTileset = (current: string) =>
  `The map is tileset ${current} now. Match the roads on it and send them again.`;
export const noExpiry = 'Use a time of RFC 3339 in the next 30 days.';
export const retry = 'Retry: writing the same incident again changes nothing.';

export const oneRoad = 'Give exactly one of `at` and `edge_id`.';
export const slowNeedsSpeed = 'A slow road needs the current speed.';
export const closedHasNoSpeed = 'A closed road has no speed. Omit it, or set the kind to `slow`.';
export const noRoadNear = (metres: number) => `No road within ${metres} m of the place.`;
export const noEdge = 'The map has no edge with this id.';
/** The evidence of an incident without a note. */
export const byOperator = 'Reported by an operator.';
