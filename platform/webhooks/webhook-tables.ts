/**
 * The tables of one kind of receivers, all with the columns that the files of this folder name. An endpoint
 * and an event belong to an owner; events of one subject are delivered to an endpoint in their order.
 */
export interface WebhookTables {
  readonly endpoint: string;
  readonly event: string;
  readonly delivery: string;
  readonly attempt: string;
  /** Column of `endpoint` and `event`. */
  readonly owner: string;
  /** Column of `event` and `delivery`. */
  readonly subject: string;
  /** SQL condition about an endpoint `e`: whether this database delivers to it now. */
  readonly isHere: string;
  /** Why an endpoint is disabled when its owner did it. */
  readonly disabledByOwner: string;
}
