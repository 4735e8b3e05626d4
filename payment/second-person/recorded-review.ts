/** What a second person decided about a request. */
export interface RecordedReview {
  readonly by: string;
  readonly at: Date;
  readonly reason: string;
}

/** The columns of a table whose rows a second person decides about. */
export interface ReviewColumns {
  readonly reviewed_by: string | null;
  readonly reviewed_at: Date | null;
  readonly review_reason: string | null;
}

/** Undefined as long as nobody has decided. */
export const recordedReview = ({
  reviewed_by: by,
  reviewed_at: at,
  review_reason: reason,
}: ReviewColumns): RecordedReview | undefined =>
  by === null || at === null ? undefined : { by, at, reason: reason ?? '' };
