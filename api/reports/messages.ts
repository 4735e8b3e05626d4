/** Texts for users about their road reports. */

export const oneRoad = 'Give exactly one of `at` and `edge_id`.';
export const noRoad = (metres: number) => `No road has this id, or there is none within ${metres} m.`;
export const tooManyReports = 'Too many reports in the last hour.';
export const retry = 'Retry: a user has one report per road.';
