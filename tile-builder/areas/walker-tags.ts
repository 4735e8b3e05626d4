import { acrossAreaKey } from '#osm/profiles/read-way.js';
import type { Tags } from '#schemas/osm-sink.js';

/** Keys about vehicles, directions and the shape of the area itself. */
const dropped = new Set([
  ...['area', 'type', 'duration', 'junction', 'oneway', 'conveying', 'incline'],
  ...['vehicle', 'bicycle', 'motor_vehicle', 'motorcar', 'hgv', 'goods', 'hazmat', 'toll', 'lanes', 'turn'],
]);
const closed = ['vehicle', 'bicycle', 'motor_vehicle', 'motorcar', 'hgv'].map((key) => [key, 'no'] as const);

/** Areas keep their tags from build to build; roads with the same tag objects are not read again. */
const known = new WeakMap<Tags, Tags>();

/** The tags of a line across an area: those of the area, for people on foot only, in both directions. */
export function walkerTags(tags: Tags): Tags {
  let ofLine = known.get(tags);
  if (ofLine === undefined) {
    const kept = [...tags].filter(([key]) => !dropped.has(key.split(':', 1)[0]!));
    ofLine = new Map([...kept, ...closed, [acrossAreaKey, 'yes']]);
    known.set(tags, ofLine);
  }
  return ofLine;
}
