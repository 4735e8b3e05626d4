/** Texts for reviewers of proposed roads. */

export const noRoad = 'No proposed road has this id.';
export const retry = 'Retry: the same decision sent twice counts once.';
