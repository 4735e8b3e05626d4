import type { FinanceAccountBody } from '#schemas/http/finance-payments.js';
import { Shown } from '../hotel/frame.js';
import { moneyText } from '../hotel/texts.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { Wide } from '../hotel/wide.js';
import { accountName } from './account-name.js';
import { ColumnHeads } from './column-heads.js';
import { evenness } from './evenness.js';
import { messages } from './finance-messages.js';
import { balancesPath } from './paths.js';
import { askAsPerson } from './person.js';

/** Where all money is, by currency, and whether both sides of the books are equal. */
export function BalancesPage({ person }: { readonly person: string }) {
  const [found, again] = useLoaded(person, () =>
    askAsPerson<{ balances: FinanceAccountBody[] }>(person, balancesPath),
  );
  return (
    <section>
      <h2>{messages.balances}</h2>
      <Shown state={found}>
        {({ balances }) =>
          balances.length === 0 ? (
            <p class="muted">{messages.noBalances}</p>
          ) : (
            [...new Set(balances.map(({ currency }) => currency))].map((currency) => (
              <OneCurrency
                key={currency}
                currency={currency}
                balances={balances.filter((one) => one.currency === currency)}
              />
            ))
          )
        }
      </Shown>
      <div class="finance-buttons">
        <button type="button" class="main-button quiet" onClick={again}>
          {messages.refresh}
        </button>
      </div>
    </section>
  );
}

/** Columns of amounts. */
const numbers: ReadonlySet<number> = new Set([2, 3]);

interface CurrencyProps {
  readonly currency: string;
  readonly balances: readonly FinanceAccountBody[];
}

function OneCurrency({ currency, balances }: CurrencyProps) {
  const { total, difference, isEven } = evenness(balances);
  return (
    <>
      <h3>{currency}</h3>
      <p class={isEven ? 'muted' : 'bad'} {...(isEven ? {} : { role: 'alert' })}>
        {isEven
          ? messages.evenIn(currency, moneyText(total, currency))
          : messages.unevenIn(currency, moneyText(difference, currency))}
      </p>
      <Wide label={`${messages.balances} ${currency}`}>
        <table class="table">
          <ColumnHeads titles={messages.balanceColumns} numbers={numbers} />
          <tbody>
            {balances.map((one) => (
              <tr key={one.account}>
                <td>{nameOf(one)}</td>
                <td>{messages.accountTypes[one.type]}</td>
                <td class="number">{moneyText(one.balance, currency)}</td>
                <td class="number">{Number(one.reserved) === 0 ? '' : moneyText(one.reserved, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
}

function nameOf({ account, accounts }: FinanceAccountBody): string {
  if (account === 'sellers') return messages.sellers(accounts);
  return accountName(account);
}
