import { Type } from 'typebox';

/** What the buyer gives of a card: never its number. */
export const CreditCardInfo = Type.Object(
  {
    token: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: "The provider's token of a card." }),
    ),
    brand: Type.Optional(Type.String({ maxLength: 32 })),
    last4: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
    save: Type.Optional(
      Type.Boolean({
        description:
          'The buyer has agreed that the provider keeps the card for later payments to this seller. The ' +
          'event then has one payment order. `GET /v1/saved-cards` lists the card once the payment has ' +
          'succeeded.',
      }),
    ),
    saved_card_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[A-Za-z0-9_-]+$',
        description:
          'Pay with this saved card, without a page for the card. All orders are then for the seller with ' +
          'whom it was saved. The bank may ask the buyer for a confirmation: `pending` is `challenge`, and ' +
          '`payment_page_url` leads there. Not together with `token` or `save`.',
      }),
    ),
    off_session: Type.Optional(
      Type.Boolean({
        description:
          'With `saved_card_id`: the buyer is away and cannot confirm anything. If the bank wants a ' +
          'confirmation, the payment fails with `authentication_required`.',
      }),
    ),
    fingerprint: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          "The provider's fingerprint of the card. It is the same for the same card, whoever pays with it.",
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Never a card number. A request that contains one anywhere is rejected.',
  },
);
