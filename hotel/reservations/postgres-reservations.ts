import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { UserId } from '#schemas/units.js';
import { hotelLimits } from '../limits.js';
import { cancelReservation } from './cancel-reservation.js';
import { changeDates, TakenBack } from './change-dates.js';
import { findReservation, listReservations } from './locked-reservation.js';
import { requestProblem } from './request-problem.js';
import { ReservationWriters } from './reservation-writers.js';
import type {
  Actor,
  CapturedPayment,
  ChangeDatesOutcome,
  Reservations,
  ReserveOutcome,
  ReserveRequest,
} from './reservations.js';
import { type Guard, reserveBatch } from './reserve-batch.js';
import { confirmPayment, confirmRefund, expireHolds, rejectPayment } from './settle-payment.js';

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
}

/** Reservations on the schema of `hotelMigrations`. */
export class PostgresReservations implements Reservations {
  readonly #sql: Sql;
  readonly #now: () => Date;
  readonly #writers: ReservationWriters;

  constructor(options: ReservationOptions) {
    this.#sql = options.sql;
    this.#now = options.now ?? (() => new Date());
    const deps = {
      sql: options.sql,
      now: this.#now,
      random: options.random ?? Math.random,
      guard: options.guard ?? 'row_locks',
      holdSeconds: options.holdSeconds ?? hotelLimits.holdSeconds,
      holdsPerUserMax: options.holdsPerUserMax ?? hotelLimits.holdsPerUserMax,
    };
    this.#writers = new ReservationWriters((requests) => reserveBatch(deps, requests), {
      writers: options.writers ?? hotelLimits.writers,
      transactionsPerWriter: options.transactionsPerWriter ?? hotelLimits.transactionsPerWriter,
      // The constraint's function locks as it goes, so only the nights of one request are in order.
      batchMax: deps.guard === 'constraint' ? 1 : (options.batchMax ?? hotelLimits.batchMax),
      waitingMax: options.waitingMax ?? hotelLimits.waitingMax,
    });
  }

  async reserve(request: ReserveRequest): Promise<ReserveOutcome> {
    const problem = requestProblem(request);
    return problem === undefined ? this.#writers.reserve(request) : { kind: 'invalid', problem };
  }

  get(reservationId: string, actor: Actor) {
    return findReservation(this.#sql, reservationId, actor);
  }

  list(userId: UserId, { before, limit }: { readonly before?: bigint; readonly limit: number }) {
    return listReservations(this.#sql, userId, before, Math.min(limit, hotelLimits.pageMax + 1));
  }

  cancel(reservationId: string, actor: Actor, { rooms }: { readonly rooms?: number } = {}) {
    return this.#change((tx) => cancelReservation(tx, this.#now(), reservationId, actor, rooms));
  }

  async changeDates(
    reservationId: string,
    actor: Actor,
    dates: { readonly startDate: string; readonly endDate: string },
  ): Promise<ChangeDatesOutcome> {
    try {
      return await this.#change((tx) => changeDates(tx, this.#now(), reservationId, actor, dates));
    } catch (error) {
      if (error instanceof TakenBack) return error.outcome;
      throw error;
    }
  }

  confirmPayment(payment: CapturedPayment) {
    return this.#change((tx) => confirmPayment(tx, this.#now(), payment));
  }

  rejectPayment(reservationId: string) {
    return this.#change((tx) => rejectPayment(tx, this.#now(), reservationId));
  }

  confirmRefund(reservationId: string) {
    return this.#change((tx) => confirmRefund(tx, this.#now(), reservationId));
  }

  expireHolds(limit: number = hotelLimits.expireBatch) {
    return this.#change((tx) => expireHolds(tx, this.#now(), Math.min(limit, hotelLimits.expireBatch)));
  }

  close(): Promise<void> {
    return this.#writers.drain();
  }

  #change<Outcome>(work: (tx: SqlSession) => Promise<Outcome>): Promise<Outcome> {
    return this.#sql.transaction(work, { attempts: hotelLimits.attemptsMax });
  }
}
