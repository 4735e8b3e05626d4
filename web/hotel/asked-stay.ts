/** The nights and rooms that a guest has in mind. */
export interface AskedStay {
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
}
