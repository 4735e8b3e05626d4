import { limits } from '#routing-engine/network/limits.js';
import { parseDeparture } from '../nav/parse-departure.js';
import type { TableQuestion } from '../ports/routing-questions.js';
import { generalOptions } from './general-options.js';
import { messages } from './messages.js';
import {
  indices,
  type Option,
  type OptionsOf,
  type OptionTable,
  oneOf,
  readDecimal,
  readWords,
} from './option.js';
import { isRefusal, type OsrmRefusal } from './refusal.js';
import { type OsrmRequest, parseServiceQuery, type WaypointStyle } from './service-query.js';
import { speedOptions } from './vehicle-options.js';

const tables = ['duration', 'distance'] as const;
export type TableKind = (typeof tables)[number];

const someOrAll: Option<readonly number[] | 'all'> = {
  form: `all, or ${indices.form}`,
  read: (text) => (text === 'all' ? 'all' : indices.read(text)),
};

export const tableOptions = {
  ...generalOptions,
  ...speedOptions,
  annotations: {
    form: `a list of ${tables.join(' and ')}`,
    read(text): ReadonlySet<TableKind> | undefined {
      const words = readWords(text, tables);
      return words && new Set(words);
    },
  },
  depart_at: { form: 'a time', read: (text) => text },
  destinations: someOrAll,
  fallback_coordinate: oneOf(['input', 'snapped']),
  fallback_speed: { form: 'metres per second', read: readDecimal },
  scale_factor: { form: 'a number', read: readDecimal },
  sources: someOrAll,
} as const satisfies OptionTable;

type TableOptions = OptionsOf<typeof tableOptions>;

/** How cells without a route are estimated. */
export interface Fallback {
  readonly metresPerSecond: number;
  /** Straight lines are measured between these places. */
  readonly between: 'input' | 'snapped';
}

export interface TableQuery {
  readonly question: TableQuestion;
  readonly tables: ReadonlySet<TableKind>;
  readonly scale: number;
  readonly fallback?: Fallback;
  readonly waypoints: WaypointStyle;
}

export function parseTableQuery(request: OsrmRequest, nowMs: number): TableQuery | OsrmRefusal {
  const asked = parseServiceQuery(request, {
    service: 'table',
    options: tableOptions,
    coordinatesMin: 2,
    wrongOptions: (options: TableOptions, { length }) => wrongOptions(options, length),
    tooBig: (options: TableOptions, { length }) => tooBig(options, length),
    wrongValue: ({ depart_at: text }: TableOptions) => {
      const departure = parseDeparture(text, nowMs);
      return departure.ok ? undefined : messages.departAt(departure.message);
    },
  });
  if (isRefusal(asked)) return asked;
  const { options, waypoints, ...question } = asked;
  const departure = parseDeparture(options.depart_at, nowMs);
  const wanted = options.annotations ?? new Set<TableKind>(['duration']);
  const speed = options.fallback_speed;
  return {
    question: {
      ...question,
      sources: listed(options.sources, question.stops.length),
      destinations: listed(options.destinations, question.stops.length),
      withMetres: wanted.has('distance'),
      ...(departure.ok && departure.departureMs !== undefined ? { departureMs: departure.departureMs } : {}),
    },
    tables: wanted,
    scale: options.scale_factor ?? 1,
    ...(speed === undefined
      ? {}
      : { fallback: { metresPerSecond: speed, between: options.fallback_coordinate ?? 'input' } }),
    waypoints,
  };
}

type Listed = readonly number[] | 'all' | undefined;

const listed = (asked: Listed, length: number): readonly number[] =>
  asked === undefined || asked === 'all' ? Array.from({ length }, (_, at) => at) : asked;

function wrongOptions(options: TableOptions, length: number): string | undefined {
  for (const asked of [options.sources, options.destinations]) {
    const beyond = listed(asked, 0).find((index) => index >= length);
    if (beyond !== undefined) return messages.noCoordinate(beyond);
  }
  for (const name of ['fallback_speed', 'scale_factor'] as const) {
    const value = options[name];
    if (value !== undefined && value <= 0) return messages.notPositive(name, value);
  }
  return undefined;
}

function tooBig({ sources, destinations }: TableOptions, length: number): string | undefined {
  const [rows, columns] = [listed(sources, length).length, listed(destinations, length).length];
  const { matrixPlacesMax, matrixCellsMax } = limits;
  const most = Math.max(rows, columns, length);
  if (most > matrixPlacesMax) return messages.tooManyStops(most, matrixPlacesMax);
  return rows * columns > matrixCellsMax ? messages.tooManyCells(rows * columns, matrixCellsMax) : undefined;
}
