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
