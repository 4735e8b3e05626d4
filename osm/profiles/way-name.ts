import type { Tags } from '#schemas/osm-sink.js';

const besideRoads = new Set(['footway', 'cycleway', 'path', 'pedestrian', 'bridleway', 'steps']);

/** https://wiki.openstreetmap.org/wiki/Key:is_sidepath */
const isSidepath = (tags: Tags): boolean =>
  besideRoads.has(tags.get('highway') ?? '') &&
  (tags.get('is_sidepath') === 'yes' ||
    tags.get('footway') === 'sidewalk' ||
    tags.get('cycleway') === 'sidepath' ||
    tags.get('path') === 'sidepath');

/** The name of a way; a pavement or track beside a road has the name of the road. Empty if there is none. */
export function wayName(tags: Tags): string {
  const name = tags.get('name') ?? '';
  if (name !== '' || !isSidepath(tags)) return name;
  return tags.get('is_sidepath:of:name') ?? tags.get('street:name') ?? '';
}
