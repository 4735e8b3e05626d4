/** What a person refunded alone within a day is limited and added up before each refund. */
export const refundsOfAPerson = `
CREATE INDEX payment_refunds_of_person ON payment_refunds (requested_by, created_at);
`;
