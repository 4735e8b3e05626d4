import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountId, describeAccount } from '#payment/ledger/accounts.js';
import {
  type Head,
  type PlacedLeg,
  placeTransfers,
  type RecordedLeg,
} from '#payment/ledger/place-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { runs } from '../property-runs.js';
import { eur } from './ledger-database.js';
import { SerialLedger } from './serial-ledger.js';

const ids: readonly AccountId[] = [
  'cash-psp:EUR',
  'cash-bank:EUR',
  'disputed:EUR',
  'seller:a:EUR',
  'seller:b:EUR',
];

/** A ledger of posted transfers, stored as in the database. */
class PlacedLedger {
  readonly heads = new Map<AccountId, Head>(
    ids.map((id, index) => {
      const { type, overdraftRefused } = describeAccount(id)!;
      const side = type === 'asset' ? 1n : -1n;
      const zero = { sequence: 0, balance: 0n, pendingDebit: 0n, pendingCredit: 0n };
      return [id, { accountNo: index + 1, side, overdraftRefused, ...zero }];
    }),
  );
  readonly standing: RecordedLeg[] = [];

  post(...transfers: readonly Transfer[]) {
    const subjects = new Set(transfers.map(({ subject }) => subject));
    const placement = placeTransfers(
      transfers,
      this.heads,
      this.standing.filter(({ subject }) => subjects.has(subject)),
    );
    if (placement.kind === 'placed') for (const leg of placement.legs) this.#keep(leg);
    return placement;
  }

  #keep({ transfer, leg, ...placed }: PlacedLeg): void {
    const { debit, credit, amount, kind } = transfer.legs[leg]!;
    const { subject, operation, phase = 'posted', resolves } = transfer;
    const reserved = phase === 'pending' ? amount.minor : -placed.released;
    const from = this.heads.get(debit)!;
    expect([placed.debitNo, placed.debitSequence]).toEqual([from.accountNo, from.sequence + 1]);
    const pendingDebit = from.pendingDebit + reserved;
    this.heads.set(debit, {
      ...from,
      sequence: placed.debitSequence,
      balance: placed.debitBalance,
      pendingDebit,
    });
    const to = this.heads.get(credit)!;
    expect([placed.creditNo, placed.creditSequence]).toEqual([to.accountNo, to.sequence + 1]);
    const pendingCredit = to.pendingCredit + reserved;
    this.heads.set(credit, {
      ...to,
      sequence: placed.creditSequence,
      balance: placed.creditBalance,
      pendingCredit,
    });
    this.standing.push({
      subject,
      operation,
      leg,
      kind: kind ?? transfer.kind,
      phase,
      resolves,
      debitNo: placed.debitNo,
      creditNo: placed.creditNo,
      amount: amount.minor,
    });
  }

  available(id: AccountId): bigint {
    const { side, balance, pendingDebit, pendingCredit } = this.heads.get(id)!;
    return side > 0n ? balance - pendingCredit : -balance - pendingDebit;
  }
}

const move = (operation: string, minor: number, more: Partial<Transfer> = {}): Transfer => ({
  subject: 's',
  operation,
  kind: 'payout',
  legs: [{ debit: 'seller:a:EUR', credit: 'cash-bank:EUR', amount: eur(minor), needsFunds: true }],
  ...more,
});
const capture = (operation: string, minor: number, seller = 'a'): Transfer => ({
  subject: 's',
  operation,
  kind: 'capture',
  legs: [{ debit: 'cash-psp:EUR', credit: `seller:${seller}:EUR`, amount: eur(minor) }],
});
const reasons = (placement: ReturnType<PlacedLedger['post']>) =>
  placement.kind === 'refused'
    ? placement.refusals.map(({ operation, reason }) => `${operation} ${reason}`)
    : 'placed';

describe('the arithmetic of the ledger', () => {
  it('P-011, I5: any postings equal those of a ledger that posts one by one, and sum to zero', () => {
    const transfer = fc
      .record({
        subject: fc.constantFrom('x', 'y'),
        name: fc.integer({ min: 0, max: 6 }),
        amount: fc.integer({ min: 1, max: 5 }),
        from: fc.integer({ min: 0, max: 4 }),
        to: fc.integer({ min: 1, max: 4 }),
        phase: fc.constantFrom('posted', 'posted', 'pending', 'post', 'void' as const),
        resolves: fc.integer({ min: 0, max: 6 }),
        needsFunds: fc.boolean(),
        legs: fc.integer({ min: 1, max: 2 }),
      })
      .map(({ subject, name, amount, from, to, phase, resolves, needsFunds, legs }): Transfer => {
        const leg = {
          debit: ids[from]!,
          credit: ids[(from + to) % ids.length]!,
          amount: eur(amount),
          needsFunds,
        };
        const isEnd = phase === 'post' || phase === 'void';
        return {
          subject,
          operation: `o${name}`,
          kind: 'adjustment',
          legs: Array.from({ length: legs }, () => leg),
          ...(phase === 'posted' ? {} : { phase: phase as 'pending' }),
          ...(isEnd ? { resolves: `o${resolves}` } : {}),
        };
      });
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 14 }), (transfers) => {
        const placed = new PlacedLedger();
        const oracle = new SerialLedger();
        for (const one of transfers) {
          // For the oracle the database's own constraint refuses overdraft; both must refuse the same here.
          if (one.legs.some(({ debit, credit }) => [debit, credit].includes('disputed:EUR'))) continue;
          const placement = placed.post(one);
          const judged = oracle.post([one]);
          const said =
            placement.kind === 'refused' ? 'refused' : [placement.replayed.size > 0 ? 'replayed' : 'posted'];
          expect(said).toEqual(judged);
        }
        let sum = 0n;
        for (const [id, { balance, side }] of placed.heads) {
          expect(side * balance).toBe(oracle.balanceOf(id)[0]);
          expect(placed.available(id)).toBe(oracle.balanceOf(id)[1]);
          sum += balance;
        }
        expect(sum).toBe(0n);
      }),
      { numRuns: runs(400) },
    );
  });

  it('sequences continue within a call, and balances with them', () => {
    const ledger = new PlacedLedger();
    const placement = ledger.post(capture('a', 10), capture('b', 5, 'b'), capture('c', 1));
    if (placement.kind !== 'placed') throw new Error('refused');
    expect(
      placement.legs.map(({ debitSequence, debitBalance, creditSequence, creditBalance, released }) => [
        debitSequence,
        debitBalance,
        creditSequence,
        creditBalance,
        released,
      ]),
    ).toEqual([
      [1, 10n, 1, -10n, 0n],
      [2, 15n, 1, -5n, 0n],
      [3, 16n, 2, -11n, 0n],
    ]);
  });

  it('P-086: an identical transfer is replayed and not posted; any other part is a conflict', () => {
    const ledger = new PlacedLedger();
    ledger.post(capture('a', 10), move('p', 4, { phase: 'pending' }));
    const again = ledger.post(capture('a', 10), capture('b', 1));
    if (again.kind !== 'placed') throw new Error('refused');
    expect(again.legs.map(({ transfer }) => transfer.operation)).toEqual(['b']);
    expect([...again.replayed].map(({ operation }) => operation)).toEqual(['a']);
    const leg = capture('a', 10).legs[0]!;
    const changes: Partial<Transfer>[] = [
      { kind: 'refund' },
      { phase: 'pending' },
      { legs: [{ ...leg, debit: 'cash-bank:EUR' }] },
      { legs: [{ ...leg, credit: 'seller:b:EUR' }] },
      { legs: [{ ...leg, amount: eur(11) }] },
      { legs: [{ ...leg, kind: 'fee' }] },
      { legs: [leg, leg] },
    ];
    for (const change of changes)
      expect(reasons(ledger.post(capture('c', 1), { ...capture('a', 10), ...change }))).toEqual([
        'a conflict',
      ]);
    const ended = move('p', 4, { phase: 'post', resolves: 'p' });
    expect(reasons(ledger.post({ ...ended, operation: 'e' }))).toBe('placed');
    expect(reasons(ledger.post({ ...ended, operation: 'e', phase: 'void' }))).toEqual(['e conflict']);
  });

  it('two legs under one name succeed or fail together, and are equal only in their order', () => {
    const ledger = new PlacedLedger();
    const two = { ...capture('a', 10), legs: [...capture('a', 10).legs, ...capture('a', 2, 'b').legs] };
    expect(reasons(ledger.post(two))).toBe('placed');
    expect(reasons(ledger.post(two))).toBe('placed');
    expect(ledger.standing).toHaveLength(2);
    expect(reasons(ledger.post({ ...two, legs: two.legs.toReversed() }))).toEqual(['a conflict']);
    expect(reasons(ledger.post(capture('a', 10)))).toEqual(['a conflict']);
  });

  it('reserved money is not spent, is freed once, and not beyond the reserved amount', () => {
    const ledger = new PlacedLedger();
    ledger.post(capture('c', 10));
    expect(reasons(ledger.post(move('p', 7, { phase: 'pending' })))).toBe('placed');
    expect(ledger.available('seller:a:EUR')).toBe(3n);
    expect(reasons(ledger.post(move('q', 4)))).toEqual(['q overdrawn']);
    const end = (operation: string, minor: number, phase: 'post' | 'void' = 'post') =>
      move(operation, minor, { phase, resolves: 'p' });
    expect(reasons(ledger.post(end('e', 8)))).toEqual(['e no_pending']);
    const elsewhere = { ...end('e', 7), legs: [{ ...end('e', 7).legs[0]!, credit: 'cash-psp:EUR' }] };
    expect(reasons(ledger.post(elsewhere))).toEqual(['e no_pending']);
    const other = { ...end('e', 7), legs: [{ ...end('e', 7).legs[0]!, debit: 'seller:b:EUR' }] };
    expect(reasons(ledger.post(other))).toEqual(['e no_pending']);
    expect(reasons(ledger.post(end('e', 5), end('f', 5)))).toEqual(['f no_pending']);
    const posted = ledger.post(end('e', 5));
    if (posted.kind !== 'placed') throw new Error('refused');
    expect(posted.legs[0]!.released).toBe(7n);
    expect(ledger.available('seller:a:EUR')).toBe(5n);
    expect(reasons(ledger.post(end('g', 5)))).toEqual(['g no_pending']);
    expect(reasons(ledger.post(move('h', 1, { phase: 'void', resolves: 'c' })))).toEqual(['h no_pending']);
    expect(reasons(ledger.post(move('h', 1, { phase: 'void', resolves: 'never' })))).toEqual([
      'h no_pending',
    ]);
  });

  it('a pending transfer of two legs is resolved with both', () => {
    const ledger = new PlacedLedger();
    ledger.post(capture('c', 10), capture('d', 10, 'b'));
    const legs = [move('p', 6).legs[0]!, { ...move('p', 3).legs[0]!, debit: 'seller:b:EUR' }];
    ledger.post(move('p', 1, { phase: 'pending', legs }));
    expect([ledger.available('seller:a:EUR'), ledger.available('seller:b:EUR')]).toEqual([4n, 7n]);
    ledger.post(move('v', 1, { phase: 'void', resolves: 'p', legs }));
    expect([ledger.available('seller:a:EUR'), ledger.available('seller:b:EUR')]).toEqual([10n, 10n]);
    const [p] = ledger.standing.filter(({ operation }) => operation === 'v');
    expect(p!.amount).toBe(6n);
  });

  it('resolving only some of its legs is refused: the rest would stay reserved for ever', () => {
    const ledger = new PlacedLedger();
    ledger.post(capture('c', 10), capture('d', 10, 'b'));
    const legs = [move('p', 6).legs[0]!, { ...move('p', 3).legs[0]!, debit: 'seller:b:EUR' }];
    ledger.post(move('p', 1, { phase: 'pending', legs }));
    const first = move('f', 1, { phase: 'void', resolves: 'p', legs: legs.slice(0, 1) });
    expect(reasons(ledger.post(first))).toEqual(['f no_pending']);
    const more = [...legs, move('p', 1).legs[0]!];
    expect(reasons(ledger.post(move('m', 1, { phase: 'post', resolves: 'p', legs: more })))).toEqual([
      'm no_pending',
    ]);
    expect(ledger.post(move('v', 1, { phase: 'void', resolves: 'p', legs })).kind).toBe('placed');
  });

  it('no account pays more than it has; each is named once, with the missing amount', () => {
    const ledger = new PlacedLedger();
    ledger.post(capture('c', 10), capture('d', 2, 'b'));
    const refused = ledger.post(move('a', 6), move('b', 6), move('e', 6), {
      ...move('f', 3),
      legs: [{ ...move('f', 3).legs[0]!, debit: 'seller:b:EUR' }],
    });
    expect(refused).toMatchObject({
      kind: 'refused',
      refusals: [
        { operation: 'b', reason: 'overdrawn', detail: 'The account seller:a:EUR lacks 2 minor units.' },
        { operation: 'f', reason: 'overdrawn', detail: 'The account seller:b:EUR lacks 1 minor units.' },
      ],
    });
    expect(reasons(ledger.post(move('a', 10)))).toBe('placed');
    expect(reasons(ledger.post(move('z', 1)))).toEqual(['z overdrawn']);
  });

  it('facts are booked below zero, and a transfer that adds money is allowed there', () => {
    const ledger = new PlacedLedger();
    const refund: Transfer = {
      ...capture('r', 5),
      legs: [{ debit: 'seller:a:EUR', credit: 'cash-psp:EUR', amount: eur(5) }],
    };
    expect(reasons(ledger.post(refund))).toBe('placed');
    expect(ledger.available('seller:a:EUR')).toBe(-5n);
    const intoDebt = { ...capture('i', 2), legs: [{ ...capture('i', 2).legs[0]!, needsFunds: true }] };
    expect(reasons(ledger.post(intoDebt))).toBe('placed');
  });

  it('an account that refuses overdraft refuses it on either side of any transfer', () => {
    const ledger = new PlacedLedger();
    const disputed = (operation: string, minor: number, opens: boolean): Transfer => ({
      subject: 's',
      operation,
      kind: 'dispute_opened',
      legs: [
        {
          debit: opens ? 'disputed:EUR' : 'cash-psp:EUR',
          credit: opens ? 'cash-psp:EUR' : 'disputed:EUR',
          amount: eur(minor),
        },
      ],
    });
    expect(reasons(ledger.post(disputed('won', 1, false)))).toEqual(['won overdrawn']);
    expect(reasons(ledger.post(disputed('open', 4, true)))).toBe('placed');
    expect(reasons(ledger.post(disputed('won', 5, false)))).toEqual(['won overdrawn']);
    expect(reasons(ledger.post(disputed('won', 4, false)))).toBe('placed');
    // What is to leave the asset is reserved until it does, within one call and in the next.
    const pending = (operation: string, minor: number): Transfer => ({
      ...disputed(operation, minor, false),
      phase: 'pending',
    });
    expect(reasons(ledger.post(disputed('again', 4, true), pending('p', 3)))).toBe('placed');
    expect(ledger.available('disputed:EUR')).toBe(1n);
    expect(reasons(ledger.post(pending('q', 1), pending('r', 1)))).toEqual(['r overdrawn']);
    expect(reasons(ledger.post(pending('q', 2)))).toEqual(['q overdrawn']);
    expect(reasons(ledger.post(pending('q', 1)))).toBe('placed');
  });

  it('refusals say what to do', () => {
    const ledger = new PlacedLedger();
    ledger.post(capture('a', 10));
    const said = (transfer: Transfer) => {
      const placement = ledger.post(transfer);
      return placement.kind === 'refused' ? placement.refusals[0]! : undefined;
    };
    expect(said(capture('a', 9))).toEqual({
      subject: 's',
      operation: 'a',
      reason: 'conflict',
      detail: 'a of s stands in the ledger with other legs: give the new operation a name of its own.',
    });
    expect(said(move('v', 1, { phase: 'void', resolves: 'n' }))).toEqual({
      subject: 's',
      operation: 'v',
      reason: 'no_pending',
      detail: 'n of s is not pending, is resolved already, or has other legs or a smaller amount.',
    });
  });
});
