/** Providers that pay later than they settle say which operations a payout contains. */
export const payoutParts = `
ALTER TABLE settlement_line ADD COLUMN payout_id text COLLATE "C";
COMMENT ON COLUMN settlement_line.payout_id IS
  'The line only says that this payout contains the operation, which has a line of its own';
ALTER TABLE settlement_payout ADD COLUMN names_parts boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN settlement_payout.names_parts IS 'The file says which operations it contains';
`;
