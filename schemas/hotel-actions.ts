/** Actions of staff whose subject in the audit log is a hotel; that of others is a reservation or user. */
export const hotelActions = [
  'set-rates',
  'set-rate-plan',
  'delete-rate-plan',
  'set-adult-prices',
  'update-ari',
  'set-channel-feed',
  'add-channel-endpoint',
  'set-channel-endpoint',
  'delete-channel-endpoint',
  'rotate-channel-secret',
  'send-channel-snapshot',
  'create-group-block',
  'change-group-block',
  'release-group-block',
  'set-house-rules',
  'set-room-status',
] as const;

/** Every kind of action in the audit log; `erase-guest` may be about a user. */
export type AuditedAction =
  | (typeof hotelActions)[number]
  | 'cancel'
  | 'cancel-payment'
  | 'refund'
  | 'assign-rooms'
  | 'check-in'
  | 'check-out'
  | 'no-show'
  | 'change-stay'
  | 'open-pay-link'
  | 'set-guest'
  | 'erase-guest'
  | 'post-extra'
  | 'void-extra'
  | 'issue-invoice';

/** What came of an action, in the audit log. Pages have a text for each. */
export type AuditedOutcome =
  | 'applied'
  | 'assigned'
  | 'change-waits'
  | 'changed'
  | 'changed-before'
  | 'changes-price'
  | 'circle'
  | 'closed-to-arrival'
  | 'closed-to-departure'
  | 'code-used'
  | 'created'
  | 'dearer'
  | 'deleted'
  | 'differs'
  | 'done'
  | 'erased'
  | 'full'
  | 'in-use'
  | 'insufficient'
  | 'invalid'
  | 'issued'
  | 'maximum-stay'
  | 'minimum-stay'
  | 'needs-second'
  | 'no-free-rooms'
  | 'no-price-left'
  | 'no-rate'
  | 'not-bookable'
  | 'nothing-open'
  | 'opened'
  | 'past'
  | 'posted'
  | 'quoted'
  | 'refused'
  | 'released'
  | 'repeated'
  | 'saved'
  | 'stay-bounds'
  | 'stop-sell'
  | 'to-pay'
  | 'too-many'
  | 'too-many-adults'
  | 'too-many-blocks'
  | 'too-many-guests'
  | 'unchanged'
  | 'unknown'
  | 'unknown-base'
  | 'unknown-plan'
  | 'unknown-rate-plan'
  | 'unknown-room-type'
  | 'wrong-amount';

/** The reason in the audit log where nobody gave one. Pages have a text for each. */
export type OrdinaryReason =
  | 'by staff'
  | 'front desk'
  | 'housekeeping'
  | 'not arrived by the cut-off of the hotel'
  | 'rates';

/** Who acts in the audit log where no person does. */
export const automatic = 'automatic';
