import type { Avoidance } from '#schemas/http/nav.js';
import { type VehicleMeasure, vehicleBounds } from '#schemas/http/vehicle-bounds.js';
import { parsePosition } from '../format/position-text.js';
import { viaMax } from '../route/stops.js';
import { avoidances, modes } from '../route/travel-modes.js';
import type { AppState, Camera, NamedPlace, TravelTime, TruckSize } from '../state/state.js';

/** What an address says about the page, beside the camera. */
export type Plan = Pick<
  AppState,
  'start' | 'via' | 'end' | 'mode' | 'truck' | 'avoid' | 'when' | 'chosen' | 'open' | 'units' | 'reachFrom'
>;

const nameLengthMax = 200;

const part = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':');

/** `35.91100,14.50200~place id~name`, without what the place does not have. */
function writePlace({ lat, lng, placeId = '', name = '' }: NamedPlace): string {
  const said = name === '' ? (placeId === '' ? [] : [placeId]) : [placeId, name.slice(0, nameLengthMax)];
  return [`${lat.toFixed(6)},${lng.toFixed(6)}`, ...said].map(part).join('~');
}

function readPlace(text: string | null): NamedPlace | null {
  const [position = '', placeId = '', ...named] = (text ?? '').split('~');
  const name = named.join('~');
  const at = parsePosition(position);
  if (at === null) return null;
  return {
    ...at,
    ...(name === '' ? {} : { name: name.slice(0, nameLengthMax) }),
    ...(placeId === '' ? {} : { placeId: placeId.slice(0, nameLengthMax) }),
  };
}

/** The query that opens this plan; empty for an empty page. */
export function writePlan({
  start,
  via,
  end,
  mode,
  truck,
  avoid,
  when,
  chosen,
  open,
  units,
  reachFrom,
}: Plan): string[] {
  const line = (name: string, value: string): string[] => (value === '' ? [] : [`${name}=${value}`]);
  const size = Object.entries(truck).map(([name, value]) => `${name}:${value}`);
  return [
    ...line('from', start === null ? '' : writePlace(start)),
    ...via.flatMap((place) => line('via', writePlace(place))),
    ...line('to', end === null ? '' : writePlace(end)),
    ...line('mode', mode === 'driving' ? '' : mode),
    ...line('size', mode === 'truck' ? size.join(',') : ''),
    ...line('avoid', avoid.join(',')),
    ...line(when.kind === 'now' ? 'depart' : when.kind, when.kind === 'now' ? '' : part(when.at)),
    ...line('route', chosen === 0 ? '' : String(chosen + 1)),
    ...line('open', open ?? ''),
    ...line('reach', reachFrom === null ? '' : writePlace(reachFrom)),
    ...line('units', units === 'metric' ? '' : units),
  ];
}

export const writeCamera = ({ lat, lng, zoom }: Camera): string =>
  `view=${lat.toFixed(5)},${lng.toFixed(5)},${zoom.toFixed(2)}`;

const localTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

function readWhen(query: URLSearchParams): TravelTime {
  for (const kind of ['depart', 'arrive'] as const) {
    const at = query.get(kind);
    if (at !== null && localTime.test(at)) return { kind, at };
  }
  return { kind: 'now' };
}

function readTruck(text: string | null): TruckSize {
  const read = (text ?? '').split(',').flatMap((each): [string, number][] => {
    const [name = '', value = ''] = each.split(':');
    const bounds = vehicleBounds[name as VehicleMeasure];
    const figure = Number(value);
    return bounds === undefined || !(figure >= bounds.minimum && figure <= bounds.maximum)
      ? []
      : [[name, figure]];
  });
  return Object.fromEntries(read);
}

/** The plan of a query. What it does not say, or says wrongly, is as on an empty page. */
export function readPlan(search: string): Plan {
  const query = new URLSearchParams(search);
  const words = (query.get('avoid') ?? '').split(',');
  const number = Number(query.get('route') ?? 1);
  const open = query.get('open');
  return {
    start: readPlace(query.get('from')),
    via: query
      .getAll('via')
      .slice(0, viaMax)
      .flatMap((text) => readPlace(text) ?? []),
    end: readPlace(query.get('to')),
    mode: modes.find((mode) => mode === query.get('mode')) ?? 'driving',
    truck: readTruck(query.get('size')),
    avoid: avoidances.filter((word: Avoidance) => words.includes(word)),
    when: readWhen(query),
    chosen: Number.isInteger(number) && number >= 1 && number <= 9 ? number - 1 : 0,
    open: open === 'steps' || open === 'closures' ? open : null,
    reachFrom: parsePosition(query.get('reach') ?? ''),
    units: query.get('units') === 'imperial' ? 'imperial' : 'metric',
  };
}

/** Null without one, or where it is not on earth. */
export function readCamera(search: string): Camera | null {
  const [lat, lng, zoom, ...more] = (new URLSearchParams(search).get('view') ?? '').split(',');
  const position = parsePosition(`${lat},${lng}`);
  const level = Number(zoom);
  if (position === null || more.length > 0 || zoom === undefined || !(level >= 0 && level <= 22)) return null;
  return { ...position, zoom: level };
}
