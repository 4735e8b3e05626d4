import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { Tags } from '#schemas/osm-sink.js';

/**
 * Key:maxheight, Key:maxweight and their like for the usual car and truck, for the route checker and without
 * code of the builder. Metres and tonnes.
 */
interface Sizes {
  readonly height: number;
  readonly width: number;
  readonly length: number;
  readonly weight: number;
  readonly axleload: number;
}

const usual: Partial<Record<TravelMode, Sizes>> = {
  driving: { height: 2, width: 1.9, length: 4.8, weight: 2, axleload: 1.2 },
  truck: { height: 4, width: 2.55, length: 16.5, weight: 40, axleload: 11.5 },
};

const names: Readonly<Record<string, keyof Sizes>> = {
  maxheight: 'height',
  'maxheight:physical': 'height',
  maxwidth: 'width',
  'maxwidth:physical': 'width',
  maxlength: 'length',
  maxweight: 'weight',
  maxweightrating: 'weight',
  maxgcweight: 'weight',
  maxaxleload: 'axleload',
};

/** Whether the limits of a road or barrier close it to the mode (`no`), or to its through traffic. */
export function saidByLimits(tags: Tags, mode: TravelMode, forward: boolean): 'no' | 'private' | undefined {
  const sizes = usual[mode];
  if (sizes === undefined) return undefined;
  let said: 'no' | 'private' | undefined;
  const tooLarge = (exempt: boolean): void => {
    if (said !== 'no') said = exempt ? 'private' : 'no';
  };
  const suffixes = ['', forward ? ':forward' : ':backward'];
  if (mode === 'truck') suffixes.push(':hgv', `:hgv${suffixes[1]}`);
  for (const [key, size] of Object.entries(names)) {
    const clauses = suffixes.flatMap((suffix) => clausesOf(tags.get(`${key}${suffix}:conditional`)));
    const exempt = clauses.some(([value, condition]) => value === 'none' && isVisiting(condition));
    const values = [
      ...suffixes.map((suffix) => tags.get(key + suffix)),
      ...clauses.filter(([, condition]) => !isOther(condition)).map(([value]) => value),
    ];
    if (values.some((value) => sizes[size] > (numberOf(value, size) ?? Number.POSITIVE_INFINITY)))
      tooLarge(exempt);
  }
  for (const key of ['width', 'est_width'])
    if (sizes.width >= (numberOf(tags.get(key), 'width') ?? Number.POSITIVE_INFINITY)) tooLarge(false);
  const accessKeys = ['motor_vehicle', 'vehicle', 'access', mode === 'truck' ? 'hgv' : 'motorcar'];
  for (const key of accessKeys)
    for (const [value, condition] of ['', suffixes[1]!].flatMap((suffix) =>
      clausesOf(tags.get(`${key}${suffix}:conditional`)),
    )) {
      const found = /\b(height|width|length|weight|axleload)\s*(?:>|>=)\s*([\d.]+)/.exec(
        condition.replace(/(max)?weightrating|gcweight/, 'weight'),
      );
      const size = found?.[1] as keyof Sizes | undefined;
      if (size === undefined || !(sizes[size] > Number(found![2]))) continue;
      if (value === 'no') tooLarge(false);
      else if (isVisiting(value)) tooLarge(true);
    }
  return said;
}

const isVisiting = (text: string): boolean =>
  /^(destination|delivery|private|customers|permit|residents|agricultural|forestry)$/.test(text);
const isOther = (text: string): boolean => /^(bus|psv|taxi|coach|motorcar|motorcycle|trailer)$/.test(text);

const clausesOf = (text: string | undefined): (readonly [value: string, condition: string])[] =>
  (text?.split(/;(?![^(]*\))/) ?? []).flatMap((clause) => {
    const [value, condition] = clause.split('@').map((part) => part.trim().replace(/^\((.*)\)$/, '$1'));
    return condition === undefined ? [] : [[value!, condition] as const];
  });

function numberOf(text: string | undefined, size: keyof Sizes): number | undefined {
  if (text === undefined) return undefined;
  const feet = /^(\d+)'(?:(\d+)")?$/.exec(text);
  if (feet !== null) return Number(feet[1]) * 0.3048 + Number(feet[2] ?? 0) * 0.0254;
  const found = /^([\d.]+) *(m|t|kg|lbs)?$/.exec(text);
  if (found === null) return text === 'below_default' && size === 'height' ? 3.99 : undefined;
  return Number(found[1]) * (found[2] === 'kg' ? 0.001 : found[2] === 'lbs' ? 0.000_453_592_37 : 1);
}
