import type { HotelChange, HotelFacts, RoomFacts } from '../hotels/hotel.js';
import type { Attempt, Hotels } from '../hotels/hotels.js';
import { home } from './hotel-servers.js';
import type { Placement } from './placement.js';

/** Hotels on several servers. A new one begins at `home`; move it where there is space. */
export class ShardedHotels implements Hotels {
  readonly #placement: Placement;
  readonly #servers: ReadonlyMap<string, Hotels>;

  constructor(placement: Placement, servers: ReadonlyMap<string, Hotels>) {
    this.#placement = placement;
    this.#servers = servers;
  }

  get(hotelId: string) {
    return this.#read(hotelId, (hotels) => hotels.get(hotelId));
  }

  create(facts: HotelFacts, attempt: Attempt) {
    return this.#servers.get(home)!.create(facts, attempt);
  }

  update(hotelId: string, change: HotelChange, ifVersion?: bigint) {
    return this.#change(hotelId, (hotels) => hotels.update(hotelId, change, ifVersion));
  }

  delete(hotelId: string, ifVersion?: bigint) {
    return this.#change(hotelId, (hotels) => hotels.delete(hotelId, ifVersion));
  }

  getRoom(hotelId: string, roomId: string) {
    return this.#read(hotelId, (hotels) => hotels.getRoom(hotelId, roomId));
  }

  createRoom(hotelId: string, facts: RoomFacts, attempt: Attempt) {
    return this.#change(hotelId, (hotels) => hotels.createRoom(hotelId, facts, attempt));
  }

  updateRoom(hotelId: string, roomId: string, facts: RoomFacts, ifVersion?: bigint) {
    return this.#change(hotelId, (hotels) => hotels.updateRoom(hotelId, roomId, facts, ifVersion));
  }

  deleteRoom(hotelId: string, roomId: string, ifVersion?: bigint) {
    return this.#change(hotelId, (hotels) => hotels.deleteRoom(hotelId, roomId, ifVersion));
  }

  #read<Result>(hotelId: string, work: (hotels: Hotels) => Promise<Result>): Promise<Result> {
    return this.#placement.read(hotelId, (server) => work(this.#servers.get(server)!));
  }

  #change<Result>(hotelId: string, work: (hotels: Hotels) => Promise<Result>): Promise<Result> {
    return this.#placement.change(hotelId, (server) => work(this.#servers.get(server)!));
  }
}
