import type { Sql } from '#platform/sql/sql.js';
import { hotelNamedBy } from '#schemas/reservation-id.js';
import type { UserId } from '#schemas/units.js';
import { hotelLimits } from '../limits.js';
import { isStorable, requestProblem } from '../reservations/request-problem.js';
import type { Reservation, StayPayment } from '../reservations/reservation.js';
import type {
  Actor,
  CancelOptions,
  CapturedPayment,
  ChangeOutcome,
  ChangeStayOutcome,
  ConfirmOutcome,
  PaymentMoney,
  Reservations,
  ReserveOutcome,
  ReserveRequest,
  StayChange,
} from '../reservations/reservations.js';
import { home } from './hotel-servers.js';
import type { Placement } from './placement.js';
import { UserHolds } from './user-holds.js';

/**
 * Reservations on several servers: each call is one transaction on the server of the hotel. An id belongs to
 * the hotel for which it was used first, even if that was refused.
 */
export class ShardedReservations implements Reservations {
  readonly #placement: Placement;
  readonly #servers: ReadonlyMap<string, Reservations>;
  readonly #holds: UserHolds;

  /** `servers` by their names. `holdsPerUserMax` is over all of them. */
  constructor(
    placement: Placement,
    servers: ReadonlyMap<string, Reservations>,
    directory: Sql,
    holdsPerUserMax: number = hotelLimits.holdsPerUserMax,
  ) {
    this.#placement = placement;
    this.#servers = servers;
    const find = (reservationId: string) => this.get(reservationId, { staff: true });
    this.#holds = new UserHolds({ directory, holdsPerUserMax, find });
  }

  async reserve(request: ReserveRequest): Promise<ReserveOutcome> {
    const problem = requestProblem(request);
    if (problem !== undefined) return { kind: 'invalid', problem };
    const { reservationId, hotelId, userId } = request;
    // Of other hotels, an id that names this one was refused above.
    const isOurs =
      hotelNamedBy(reservationId) !== undefined ||
      (await this.#placement.claim(reservationId, hotelId)) === hotelId;
    if (isOurs) return this.#reserve(request);
    const other = await this.get(reservationId, { staff: true });
    return { kind: other === undefined || other.userId === userId ? 'differs' : 'taken' };
  }

  async #reserve(request: ReserveRequest): Promise<ReserveOutcome> {
    const { hotelId } = request;
    const isClaimed = await this.#holds.claim(request);
    // Else only a repetition of what has been made.
    if (!isClaimed && (await this.get(request.reservationId, { staff: true })) === undefined)
      return { kind: 'too-many-holds' };
    const outcome = await this.#placement.change(hotelId, (server) => this.#at(server).reserve(request));
    if (isClaimed && outcome.kind !== 'reserved' && outcome.kind !== 'repeated') this.#holds.release(request);
    return outcome;
  }

  get(reservationId: string, actor: Actor): Promise<Reservation | undefined> {
    return this.#read(reservationId, (server) => server.get(reservationId, actor));
  }

  /** By the time of creation; of the same time, the higher sequence is first. */
  async list(
    userId: UserId,
    options: { readonly before?: Pick<Reservation, 'sequence' | 'createdAt'>; readonly limit: number },
  ): Promise<readonly Reservation[]> {
    const pages = await Promise.all(
      [...this.#servers.values()].map((server) => server.list(userId, options)),
    );
    return pages.flat().toSorted(newestFirst).slice(0, options.limit);
  }

  cancel(reservationId: string, actor: Actor, options?: CancelOptions): Promise<ChangeOutcome> {
    return this.#change(reservationId, (server) => server.cancel(reservationId, actor, options));
  }

  changeStay(reservationId: string, actor: Actor, change: StayChange): Promise<ChangeStayOutcome> {
    return this.#change(reservationId, (server) => server.changeStay(reservationId, actor, change));
  }

  quoteChange(reservationId: string, actor: Actor, change: StayChange): Promise<ChangeStayOutcome> {
    return this.#change(reservationId, (server) => server.quoteChange(reservationId, actor, change));
  }

  confirmPayment(payment: CapturedPayment): Promise<ConfirmOutcome> {
    return this.#change(payment.reservationId, (server) => server.confirmPayment(payment));
  }

  paymentsOf(reservationId: string): Promise<readonly StayPayment[]> {
    return this.#read(reservationId, (server) => server.paymentsOf(reservationId));
  }

  rejectPayment(reservationId: string): Promise<ChangeOutcome> {
    return this.#change(reservationId, (server) => server.rejectPayment(reservationId));
  }

  noteMoney(money: PaymentMoney): Promise<ChangeOutcome> {
    return this.#change(money.reservationId, (server) => server.noteMoney(money));
  }

  hearMoney(reservationId: string): Promise<void> {
    return this.#change(reservationId, (server) => server.hearMoney(reservationId));
  }

  confirmRefund(reservationId: string): Promise<ChangeOutcome> {
    return this.#change(reservationId, (server) => server.confirmRefund(reservationId));
  }

  async expireHolds(limit?: number): Promise<number> {
    await this.#holds.purge();
    const ended = await Promise.all([...this.#servers.values()].map((server) => server.expireHolds(limit)));
    return Math.max(...ended);
  }

  async close(): Promise<void> {
    await this.#holds.drain();
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  async #read<Result>(
    reservationId: string,
    work: (server: Reservations) => Promise<Result>,
  ): Promise<Result> {
    const hotelId = isStorable(reservationId) ? await this.#placement.hotelOf(reservationId) : undefined;
    if (hotelId === undefined) return work(this.#at(home));
    return this.#placement.read(hotelId, (server) => work(this.#at(server)));
  }

  async #change<Result>(
    reservationId: string,
    work: (server: Reservations) => Promise<Result>,
  ): Promise<Result> {
    const hotelId = isStorable(reservationId) ? await this.#placement.hotelOf(reservationId) : undefined;
    if (hotelId !== undefined) return this.#placement.change(hotelId, (server) => work(this.#at(server)));
    // Made before there were several servers, and its hotel has not moved, as far as we know.
    const found = await this.#at(home).get(reservationId, { staff: true });
    if (found === undefined) return work(this.#at(home));
    return this.#placement.change(found.hotelId, (server) => work(this.#at(server)));
  }

  #at(server: string): Reservations {
    const found = this.#servers.get(server);
    if (found === undefined)
      throw new Error(`The hotel is on the server ${server}, whose address is missing. Set HOTEL_SHARDS.`);
    return found;
  }
}

const newestFirst = (a: Reservation, b: Reservation): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.sequence < b.sequence ? 1 : -1);
