/**
 * SQL of what a batch is sealed over, in its second form: a head, and for each transfer a line, in the order
 * in which they were put in. Written out as text, because a server takes a fourth of the time for it that it
 * takes for fields in its binary form, and in the order in which they came, since to sort whole rows takes as
 * long again. What all rows of a plain batch share is said in the head alone, and no balance is: they follow
 * from the postings, and a verification adds them up. Texts stand behind their lengths in bytes, so nobody
 * can move a border between two of them. `ledger/sealed-text.ts` writes the same for a verification.
 * Another text needs a migration and another form.
 */
const lengths =
  '(octet_length(n.subject) * 1000 + octet_length(n.operation)) * 1000 + ' +
  'coalesce(octet_length(n.cause) + 1, 0)';
const accounts = 'n.debit_account, n.debit_sequence, n.credit_account, n.credit_sequence';
const leg = `n.leg, ${accounts}, n.amount, n.kind, ${lengths}, n.subject, n.operation, n.cause`;
const ofAnyPhase = `n.phase, n.currency, n.released, coalesce(octet_length(n.resolves) + 1, 0)`;

/** `seal` of the rows `added`. `plain`: everything is posted, in the currency `first_currency`. */
export const sealsRows = ({ plain }: { readonly plain: boolean }): string => `
    SELECT sha256(convert_to(concat_ws('|', 2, batch, items, (extract(epoch FROM sealed) * 1000000)::bigint, ${plain ? 'first_currency' : `''`}, '')
        || string_agg(concat_ws('|', ${plain ? leg : `${ofAnyPhase}, ${leg}, n.resolves`}), E'\\n'), 'UTF8'))
      INTO seal FROM added n;`;
