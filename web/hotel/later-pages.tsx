import { RequestFailed, silence } from '../http/ask.js';
import { Shown } from './frame.js';
import { useLoaded } from './use-loaded.js';

/** Loads the script of a page when the page is first opened. */
const fetched = <Module,>(module: Promise<Module>): Promise<Module> =>
  module.catch(() => {
    throw new RequestFailed(0, silence());
  });

export function RoomsPage({ hotelId }: { readonly hotelId: string }) {
  const [page] = useLoaded('rooms', () => fetched(import('./staff-rooms.js')));
  return <Shown state={page}>{({ StaffRooms }) => <StaffRooms key={hotelId} chosen={hotelId} />}</Shown>;
}

export function RatesPage() {
  const [page] = useLoaded('rates', () => fetched(import('./staff-rates.js')));
  return <Shown state={page}>{({ StaffRates }) => <StaffRates />}</Shown>;
}

export function GroupsPage({ parts }: { readonly parts: readonly string[] }) {
  const [page] = useLoaded('groups', () => fetched(import('./staff-groups.js')));
  return <Shown state={page}>{({ StaffGroups }) => <StaffGroups parts={parts} />}</Shown>;
}

export function PlanPage({ parts }: { readonly parts: readonly string[] }) {
  const [page] = useLoaded('plan', () => fetched(import('./room-plan/room-plan.js')));
  return <Shown state={page}>{({ RoomPlan }) => <RoomPlan parts={parts} />}</Shown>;
}
