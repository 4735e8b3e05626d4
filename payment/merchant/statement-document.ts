import { escapeHtml, htmlDocument } from '#platform/http/html.js';
import { formatMoney } from '../money/money.js';
import { CsvNumber, csvLine } from './csv-line.js';
import type { Statement } from './merchant-statement.js';

const money = ({ currency }: Statement, minor: bigint): string => formatMoney({ minor, currency });
/** The last moment that counts, to the day: statements are read by people. */
const lastDay = ({ to }: Statement): string => new Date(to.getTime() - 1).toISOString().slice(0, 10);
const firstDay = ({ from }: Statement): string => from.toISOString().slice(0, 10);

/** Opening balance, entries, closing balance: the amounts of all lines add up to the last balance. */
export function statementCsv(statement: Statement): string {
  const { currency, from, to, openingMinor, closingMinor, entries } = statement;
  const amount = (minor: bigint) => new CsvNumber(money(statement, minor));
  const lines = [
    csvLine(['time', 'kind', 'subject', 'operation', 'amount', 'balance', 'currency']),
    csvLine([from.toISOString(), 'opening_balance', '', '', amount(0n), amount(openingMinor), currency]),
    ...entries.map((entry) =>
      csvLine([
        entry.at.toISOString(),
        entry.kind,
        entry.subject,
        entry.operation,
        amount(entry.amountMinor),
        amount(entry.balanceMinor),
        currency,
      ]),
    ),
    csvLine([to.toISOString(), 'closing_balance', '', '', amount(0n), amount(closingMinor), currency]),
  ];
  return lines.join('');
}

const words: Readonly<Record<string, string>> = {
  capture: 'Payment',
  refund: 'Refund',
  dispute_lost: 'Dispute lost',
  fee: 'Fee',
  settlement: 'Settlement',
  payout: 'Payout',
  adjustment: 'Adjustment',
};

/** To be read and printed; without scripts, styles or links. */
export function statementHtml(statement: Statement): string {
  const { seller, currency, openingMinor, closingMinor, entries } = statement;
  const row = (cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
  const title = `Statement of ${seller}, ${currency}, ${firstDay(statement)} to ${lastDay(statement)}`;
  const rows = [
    row([firstDay(statement), 'Opening balance', '', '', money(statement, openingMinor)]),
    ...entries.map((entry) =>
      row([
        entry.at.toISOString().replace('T', ' ').slice(0, 19),
        words[entry.kind] ?? entry.kind,
        entry.subject,
        money(statement, entry.amountMinor),
        money(statement, entry.balanceMinor),
      ]),
    ),
    row([lastDay(statement), 'Closing balance', '', '', money(statement, closingMinor)]),
  ];
  const head = ['Time (UTC)', 'Entry', 'Payment or payout', `Amount (${currency})`, `Balance (${currency})`];
  return htmlDocument(
    title,
    '',
    `<h1>${escapeHtml(title)}</h1>
<table border="1">
<thead><tr>${head.map((name) => `<th>${escapeHtml(name)}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`,
  );
}
