/** Where the buyer goes from a page of the provider or of a bank. */
export interface ReturnUrls {
  readonly success: string;
  readonly failure: string;
}
