import { Batcher } from '#platform/batcher/batcher.js';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { UserId } from '#schemas/units.js';
import { hotelLimits } from '../limits.js';
import { cancelReservation } from './cancel-reservation.js';
import { changeStay, TakenBack } from './change-stay.js';
import { confirmBatch } from './confirm-batch.js';
import { findReservations, listByTime, listReservations, maySee } from './locked-reservation.js';
import { noteMoney } from './note-money.js';
import { PickUpRefused, pickUp } from './pick-up.js';
import { isStorable, requestProblem } from './request-problem.js';
import type { Reservation } from './reservation.js';
import { ReservationBatchers } from './reservation-batchers.js';
import type {
  Actor,
  CancelOptions,
  CapturedPayment,
  ChangeStayOutcome,
  ConfirmOutcome,
  PaymentMoney,
  Reservations,
  ReserveOutcome,
  ReserveRequest,
  StayChange,
} from './reservations.js';
import { type Guard, type ReserveDeps, reserveBatch, reserveOnce } from './reserve-batch.js';
import { confirmRefund, expireHolds, rejectPayment } from './settle-payment.js';
import { readStayPayments } from './stay-payments.js';

export interface ReservationOptions {
  readonly sql: Sql;
  readonly now?: () => Date;
  /** 0 ≤ random < 1. */
  readonly random?: () => number;
  readonly guard?: Guard;
  readonly holdSeconds?: number;
  readonly holdsPerUserMax?: number;
  readonly writers?: number;
  readonly transactionsPerWriter?: number;
  /** 1: each reservation is a transaction of its own. */
  readonly batchMax?: number;
  readonly waitingMax?: number;
  /** Queried before any money is promised; without it, only events report money. */
  readonly hearMoney?: FollowPayment;
  /** One of several servers: lists are by time, since sequences do not compare. */
  readonly isOneOfMany?: true;
}

/** Updates a reservation with the current state of its payment, by `noteMoney`. */
export type FollowPayment = (
  reservations: Pick<Reservations, 'get' | 'paymentsOf' | 'noteMoney' | 'confirmRefund'>,
  reservationId: string,
) => Promise<void>;

/** Reservations on the schema of `hotelMigrations`. */
export class PostgresReservations implements Reservations {
  readonly #sql: Sql;
  readonly #now: () => Date;
  readonly #hearMoney: FollowPayment | undefined;
  readonly #reserving: ReserveDeps;
  readonly #isOneOfMany: boolean;
  readonly #writers: ReservationBatchers;
  readonly #confirming: Batcher<CapturedPayment, ConfirmOutcome>;
  readonly #reading: Batcher<string, Reservation | undefined>;

  constructor(options: ReservationOptions) {
    this.#sql = options.sql;
    this.#now = options.now ?? (() => new Date());
    this.#hearMoney = options.hearMoney;
    this.#isOneOfMany = options.isOneOfMany ?? false;
    const deps: ReserveDeps = {
      sql: options.sql,
      now: this.#now,
      random: options.random ?? Math.random,
      guard: options.guard ?? 'row_locks',
      holdSeconds: options.holdSeconds ?? hotelLimits.holdSeconds,
      holdsPerUserMax: options.holdsPerUserMax ?? hotelLimits.holdsPerUserMax,
    };
    this.#reserving = deps;
    // The constraint's function locks as it goes, so only the nights of one request are in order.
    const batchMax = deps.guard === 'constraint' ? 1 : (options.batchMax ?? hotelLimits.batchMax);
    const { transactionsPerWriter, unbatchedPerWriter } = hotelLimits;
    this.#writers = new ReservationBatchers((requests) => reserveBatch(deps, requests), {
      writers: options.writers ?? hotelLimits.writers,
      atOnce: options.transactionsPerWriter ?? (batchMax === 1 ? unbatchedPerWriter : transactionsPerWriter),
      batchMax,
      waitingMax: options.waitingMax ?? hotelLimits.waitingMax,
    });
    this.#confirming = new Batcher((payments) => confirmBatch(this.#sql, this.#now, payments), {
      atOnce: transactionsPerWriter,
      batchMax: hotelLimits.batchMax,
    });
    this.#reading = new Batcher((ids) => findReservations(this.#sql, ids), {
      atOnce: hotelLimits.readsAtOnce,
      batchMax: hotelLimits.batchMax,
    });
  }

  async reserve(request: ReserveRequest): Promise<ReserveOutcome> {
    const problem = requestProblem(request);
    if (problem !== undefined) return { kind: 'invalid', problem };
    const { blockCode } = request;
    return blockCode === undefined ? this.#writers.reserve(request) : this.#pickUp({ ...request, blockCode });
  }

  async #pickUp(request: ReserveRequest & { readonly blockCode: string }): Promise<ReserveOutcome> {
    const reserve = async (tx: SqlSession): Promise<ReserveOutcome> => {
      const [outcome] = await reserveOnce({ ...this.#reserving, sql: tx }, [request]);
      return outcome!.kind === 'again' ? { kind: 'busy' } : outcome!;
    };
    try {
      return await this.#change((tx) => pickUp(tx, this.#now(), request, reserve));
    } catch (error) {
      if (error instanceof PickUpRefused) return error.outcome;
      throw error;
    }
  }

  async get(reservationId: string, actor: Actor): Promise<Reservation | undefined> {
    const found = isStorable(reservationId) ? await this.#reading.call(reservationId) : undefined;
    return found !== undefined && maySee(actor, found.userId) ? found : undefined;
  }

  list(
    userId: UserId,
    {
      before,
      limit,
    }: { readonly before?: Pick<Reservation, 'sequence' | 'createdAt'>; readonly limit: number },
  ) {
    const list = this.#isOneOfMany ? listByTime : listReservations;
    return list(this.#sql, userId, before, Math.min(limit, hotelLimits.pageMax + 1));
  }

  async hearMoney(reservationId: string): Promise<void> {
    if (isStorable(reservationId)) await this.#hearMoney?.(this, reservationId);
  }

  async cancel(reservationId: string, actor: Actor, options: CancelOptions = {}) {
    await this.hearMoney(reservationId);
    return this.#change((tx) => cancelReservation(tx, this.#now(), reservationId, actor, options));
  }

  changeStay(reservationId: string, actor: Actor, change: StayChange): Promise<ChangeStayOutcome> {
    return this.#tryChange(reservationId, actor, change, false);
  }

  quoteChange(reservationId: string, actor: Actor, change: StayChange): Promise<ChangeStayOutcome> {
    return this.#tryChange(reservationId, actor, change, true);
  }

  async #tryChange(reservationId: string, actor: Actor, change: StayChange, isQuote: boolean) {
    await this.hearMoney(reservationId);
    try {
      return await this.#change((tx) => {
        const now = this.#now();
        const expiresAt = new Date(now.getTime() + this.#reserving.holdSeconds * 1_000);
        return changeStay(tx, now, reservationId, actor, change, { expiresAt, isQuote });
      });
    } catch (error) {
      if (error instanceof TakenBack) return error.outcome;
      throw error;
    }
  }

  paymentsOf(reservationId: string) {
    return readStayPayments(this.#sql, reservationId);
  }

  async confirmPayment(payment: CapturedPayment): Promise<ConfirmOutcome> {
    return isStorable(payment.reservationId) ? this.#confirming.call(payment) : { kind: 'unknown' };
  }

  rejectPayment(reservationId: string, supplementId?: string) {
    return this.#change((tx) => rejectPayment(tx, this.#now(), reservationId, supplementId));
  }

  noteMoney(money: PaymentMoney) {
    return this.#change((tx) => noteMoney(tx, this.#now(), money));
  }

  confirmRefund(reservationId: string) {
    return this.#change((tx) => confirmRefund(tx, this.#now(), reservationId));
  }

  expireHolds(limit: number = hotelLimits.expireBatch) {
    return this.#change((tx) => expireHolds(tx, this.#now(), Math.min(limit, hotelLimits.expireBatch)));
  }

  async close(): Promise<void> {
    await this.#writers.drain();
    await this.#confirming.drain();
  }

  #change<Outcome>(work: (tx: SqlSession) => Promise<Outcome>): Promise<Outcome> {
    return this.#sql.transaction(work, { attempts: hotelLimits.attemptsMax });
  }
}
