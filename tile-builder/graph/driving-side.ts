import { countryAt } from '#osm/countries/country-at.js';
import { nodeIndex, type OsmExtract } from '#osm/elements/osm-extract.js';

/**
 * The side of the road that vehicles keep to: that of the country in which the first road ends. A map
 * without a country, such as one of a made-up town, has that of its roundabouts.
 */
export function drivingSideOf(extract: OsmExtract): 'right' | 'left' {
  const { firstRef, refs, nodeLngE7, nodeLatE7 } = extract;
  for (let way = 0; way + 1 < firstRef.length; way++) {
    const node = nodeIndex(extract, refs[firstRef[way + 1] - 1]);
    const country = node < 0 ? undefined : countryAt(nodeLngE7[node], nodeLatE7[node]);
    if (country !== undefined) return country.side;
  }
  return sideOfRoundabouts(extract);
}

/**
 * Traffic that keeps right goes round a roundabout anticlockwise. The majority of the closed roundabouts
 * decides; without any, it is the right.
 */
function sideOfRoundabouts(extract: OsmExtract): 'right' | 'left' {
  const { wayTags, firstRef, refs, nodeLngE7, nodeLatE7 } = extract;
  let anticlockwise = 0;
  for (let way = 0; way < wayTags.length; way++) {
    if (wayTags[way].get('junction') !== 'roundabout' || wayTags[way].get('oneway') === '-1') continue;
    const first = firstRef[way];
    const end = firstRef[way + 1];
    if (refs[first] !== refs[end - 1]) continue;
    let twiceArea = 0;
    let last = nodeIndex(extract, refs[first]);
    for (let i = first + 1; i < end && last >= 0; i++) {
      const node = nodeIndex(extract, refs[i]);
      if (node >= 0) twiceArea += nodeLngE7[last] * nodeLatE7[node] - nodeLngE7[node] * nodeLatE7[last];
      last = node;
    }
    if (last >= 0) anticlockwise += Math.sign(twiceArea);
  }
  return anticlockwise < 0 ? 'left' : 'right';
}
