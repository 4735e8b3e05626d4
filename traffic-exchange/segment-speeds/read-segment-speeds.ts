import { InvalidFeed } from '../events/road-event.js';
import { segmentKphMax, segmentsMax } from './limits.js';

/** km/h between two neighbouring nodes of a way, in that direction; 0 is closed. By `segmentKey`. */
export type SegmentSpeeds = ReadonlyMap<string, number>;

export const segmentKey = (from: number, to: number): string => `${from},${to}`;

/**
 * Reads what OSRM's tools read as `--segment-speed-file`: lines of two node ids, km/h and, optionally, a rate
 * and a comment, which do not count here. The last line of a pair counts. Throws `InvalidFeed`.
 */
export function readSegmentSpeeds(text: string): SegmentSpeeds {
  const speeds = new Map<string, number>();
  let begin = 0;
  for (let number = 1; begin < text.length; number++) {
    const newline = text.indexOf('\n', begin);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(begin, end).trim();
    begin = end + 1;
    if (line === '') continue;
    const fields = /^(-?\d{1,15}),(-?\d{1,15}),(\d{1,6}(?:\.\d{1,10})?)(?:,.*)?$/.exec(line);
    const kph = Number(fields?.[3]);
    if (fields === null || kph > segmentKphMax)
      throw new InvalidFeed(
        `Line ${number} is not from,to,speed with two node ids and 0 to ${segmentKphMax} km/h.`,
      );
    speeds.set(segmentKey(Number(fields[1]), Number(fields[2])), kph);
    if (speeds.size > segmentsMax) throw new InvalidFeed(`It has more than ${segmentsMax} pairs of nodes.`);
  }
  return speeds;
}
