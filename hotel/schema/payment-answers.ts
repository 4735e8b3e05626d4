/**
 * Answers about payments that did not simply pay: a repeated query gets the same answer, even years later or
 * twice at once.
 */
export const paymentAnswers = `
CREATE TABLE payment_answer (
  payment_id text COLLATE "C" PRIMARY KEY,
  reservation_id text COLLATE "C" NOT NULL REFERENCES reservation,
  answer text NOT NULL CHECK (answer IN
    ('reseated', 'paid-already', 'wrong-amount', 'no-rooms-left', 'not-payable')),
  at timestamptz NOT NULL
);
CREATE INDEX answers_of_reservation ON payment_answer (reservation_id);
`;
