/** The nights, rooms and people that a guest wants. */
export interface RequestedStay {
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
  /** Of all rooms together. */
  readonly guests: number;
}
