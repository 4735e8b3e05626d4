/** Why a receipt is not sent by e-mail any more. Pages have a text for each. */
export type ReceiptFailure =
  | 'the guest has no address'
  | 'the mail server refused the address'
  | 'the mail server did not take it'
  | 'it waited too long';
