import { pointsMax } from './limits.js';
import { formsOfWay, type LineReference, legMetresMax, type ReferencePoint } from './line-reference.js';

/** The text or the bytes are no line location of OpenLR, or one that has no place in the format. */
export class InvalidOpenlr extends Error {
  override readonly name = 'InvalidOpenlr';
}

const version = 3;
/** With the bit that says that points have attributes; no bit of a point or area location. */
const lineHeader = 0b0000_1000 | version;
const headerBytes = 1;
const firstPointBytes = 9;
const nextPointBytes = 7;
const lastPointBytes = 6;
const positiveFlag = 0b0100_0000;
const negativeFlag = 0b0010_0000;
const sectors = 32;
const sectorDeg = 360 / sectors;
const buckets = 256;
const bucketMetres = legMetresMax / buckets;
const degreesPerUnit = 360 / 2 ** 24;
const relativeUnits = 1e5;

/** Binary format, version 3, of the OpenLR white paper 1.5, section 7.2. */
export function encodeLine({ points, positiveOffset, negativeOffset }: LineReference): Uint8Array {
  if (points.length < 2 || points.length > pointsMax)
    throw new InvalidOpenlr(`A line has 2 to ${pointsMax} points.`);
  const middle = points.length - 2;
  const offsets = Number(positiveOffset > 0) + Number(negativeOffset > 0);
  const bytes = new Uint8Array(
    headerBytes + firstPointBytes + middle * nextPointBytes + lastPointBytes + offsets,
  );
  const view = new DataView(bytes.buffer);
  bytes[0] = lineHeader;
  let at = headerBytes;
  // A reader adds up what was written, so the differences are those to what it has read.
  let [lng, lat] = [0, 0];
  points.forEach((point, i) => {
    if (i === 0) {
      const [lngUnits, latUnits] = [absolute(point.lng), absolute(point.lat)];
      at = writeInt24(view, writeInt24(view, at, lngUnits), latUnits);
      [lng, lat] = [degrees(lngUnits), degrees(latUnits)];
    } else {
      const [east, north] = [relative(point.lng - lng), relative(point.lat - lat)];
      view.setInt16(at, east);
      view.setInt16(at + 2, north);
      at += 4;
      [lng, lat] = [lng + east / relativeUnits, lat + north / relativeUnits];
    }
    bytes[at++] = (point.frc << 3) | formsOfWay.indexOf(point.fow);
    const sector = Math.floor(point.bearingDeg / sectorDeg) % sectors;
    if (i < points.length - 1) {
      const { lowestFrc, distanceM } = legOf(point);
      bytes[at++] = (lowestFrc << 5) | sector;
      bytes[at++] = bucketOf(distanceM / legMetresMax);
    } else {
      const flags = (positiveOffset > 0 ? positiveFlag : 0) | (negativeOffset > 0 ? negativeFlag : 0);
      bytes[at++] = flags | sector;
    }
  });
  if (positiveOffset > 0) bytes[at++] = bucketOf(positiveOffset);
  if (negativeOffset > 0) bytes[at++] = bucketOf(negativeOffset);
  return bytes;
}

/** Throws `InvalidOpenlr`. Bearings, distances and offsets are the middles of their intervals. */
export function decodeLine(bytes: Uint8Array): LineReference {
  const header = bytes[0];
  if (header === undefined) throw new InvalidOpenlr('The location is empty.');
  if ((header & 0b111) !== version)
    throw new InvalidOpenlr(`It is written in version ${header & 0b111}, not in version ${version}.`);
  if (header !== lineHeader) throw new InvalidOpenlr('It is not a line location.');
  const least = headerBytes + firstPointBytes + lastPointBytes;
  const middle = Math.floor((bytes.length - least) / nextPointBytes);
  const offsetBytes = bytes.length - least - middle * nextPointBytes;
  if (middle < 0 || offsetBytes > 2) throw new InvalidOpenlr(`A line has no ${bytes.length} bytes.`);
  if (middle + 2 > pointsMax) throw new InvalidOpenlr(`A line has at most ${pointsMax} points.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const points: ReferencePoint[] = [];
  let at = headerBytes;
  let [lng, lat] = [0, 0];
  let flags = 0;
  for (let i = 0; i < middle + 2; i++) {
    if (i === 0) {
      [lng, lat] = [degrees(readInt24(view, at)), degrees(readInt24(view, at + 3))];
      at += 6;
    } else {
      [lng, lat] = [lng + view.getInt16(at) / relativeUnits, lat + view.getInt16(at + 2) / relativeUnits];
      at += 4;
    }
    if (Math.abs(lng) > 180 || Math.abs(lat) > 90) throw new InvalidOpenlr('A point is not on the earth.');
    const road = bytes[at]!;
    const direction = bytes[at + 1]!;
    const point = {
      ...{ lat, lng },
      frc: (road >> 3) & 0b111,
      fow: formsOfWay[road & 0b111]!,
      bearingDeg: ((direction & 0b1_1111) + 0.5) * sectorDeg,
    };
    if (i < middle + 1) {
      const distanceM = (bytes[at + 2]! + 0.5) * bucketMetres;
      points.push({ ...point, toNext: { lowestFrc: direction >> 5, distanceM } });
      at += 3;
    } else {
      points.push(point);
      flags = direction;
      at += 2;
    }
  }
  const [hasPositive, hasNegative] = [(flags & positiveFlag) !== 0, (flags & negativeFlag) !== 0];
  if (Number(hasPositive) + Number(hasNegative) !== offsetBytes)
    throw new InvalidOpenlr('Its last point and its length disagree about the offsets.');
  const share = (present: boolean): number => (present ? (bytes[at++]! + 0.5) / buckets : 0);
  return { points, positiveOffset: share(hasPositive), negativeOffset: share(hasNegative) };
}

export const encodeLineBase64 = (line: LineReference): string =>
  Buffer.from(encodeLine(line)).toString('base64');

/** Throws `InvalidOpenlr`. */
export function decodeLineBase64(text: string): LineReference {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new InvalidOpenlr('It is not base64.');
  return decodeLine(Buffer.from(text, 'base64'));
}

function legOf({ toNext }: ReferencePoint): NonNullable<ReferencePoint['toNext']> {
  if (toNext === undefined) throw new InvalidOpenlr('Only the last point has no next one.');
  return toNext;
}

const bucketOf = (share: number): number => Math.max(0, Math.min(buckets - 1, Math.floor(share * buckets)));

/** Half a unit away from zero, and cut off, as the white paper has it. */
const absolute = (value: number): number =>
  Math.max(-(2 ** 23), Math.min(2 ** 23 - 1, Math.trunc(Math.sign(value) * 0.5 + value / degreesPerUnit)));
const degrees = (units: number): number => (units - Math.sign(units) * 0.5) * degreesPerUnit;

function relative(difference: number): number {
  const units = Math.round(difference * relativeUnits);
  if (Math.abs(units) > 32_767) throw new InvalidOpenlr('Two points are more than 0.32 degrees apart.');
  return units;
}

function writeInt24(view: DataView, at: number, value: number): number {
  view.setInt16(at, value >> 8);
  view.setUint8(at + 2, value & 0xff);
  return at + 3;
}

const readInt24 = (view: DataView, at: number): number => (view.getInt16(at) << 8) | view.getUint8(at + 2);
