/** The nights and rooms that a guest wants. */
export interface RequestedStay {
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
}
