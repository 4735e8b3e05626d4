import { plainText, readSpeed } from '../events/read-fields.js';
import { type RoadEffect, UnusableEvent } from '../events/road-event.js';
import { childrenOf, descendantsOf, type Element, textOf } from './read-elements.js';

const closures = ['roadClosed', 'carriagewayClosures', 'closedPermanentlyForTheWinter'];
/** Closed at the times that the validity lists; without a list nobody knows when. */
const closuresAtTimes = ['overnightClosures', 'intermittentShortTermClosures'];
const blockages = ['roadBlocked', 'carriagewayBlocked'];
const carTypes = ['anyVehicle', 'car', 'carOrLightVehicle', 'passengerCar'];
const waysBesideRoads = ['cycleTrack', 'footpath'];

/** What a situation record does to cars. Throws `UnusableEvent` with a reason where that is nothing. */
export function readEffect(record: Element): RoadEffect {
  const type = record.type;
  if (textOf(record, 'probabilityOfOccurrence') === 'riskOf') throw new UnusableEvent('it is only a risk');
  const constriction = textOf(record, 'trafficConstrictionType');
  if (constriction !== undefined && blockages.includes(constriction)) return closed(record);
  if (type === 'RoadOrCarriagewayOrLaneManagement') {
    const kind = textOf(record, 'roadOrCarriagewayOrLaneManagementType') ?? '';
    const isListed = descendantsOf(record, 'validPeriod').length > 0;
    if (closures.includes(kind) || (closuresAtTimes.includes(kind) && isListed)) return closed(record);
    if (closuresAtTimes.includes(kind)) throw new UnusableEvent(`${kind} without times`);
    throw new UnusableEvent(
      `${plainText(kind).slice(0, 64) || type}: the road stays open, at no stated speed`,
    );
  }
  if (type === 'SpeedManagement') {
    const limit = textOf(record, 'temporarySpeedLimit');
    if (limit === undefined) throw new UnusableEvent('speed management without a speed limit');
    demandCars(record);
    return { kind: 'slow', speedKph: readSpeed(Number(limit), 'temporarySpeedLimit') };
  }
  if (textOf(record, 'underTraffic') === 'false') return closed(record);
  if (type === '') throw new UnusableEvent('it has no xsi:type');
  throw new UnusableEvent(`${plainText(type).slice(0, 64)}: the road stays open, at no stated speed`);
}

function closed(record: Element): RoadEffect {
  if (textOf(record, 'complianceOption') === 'advisory') throw new UnusableEvent('it is only advice');
  if (childrenOf(record, 'applicableForTrafficType').length > 0)
    throw new UnusableEvent('it is for some traffic only');
  demandCars(record);
  const carriageways = descendantsOf(record, 'carriageway').flatMap(({ text }) =>
    text === '' ? [] : [text],
  );
  if (carriageways.length > 0 && carriageways.every((each) => waysBesideRoads.includes(each)))
    throw new UnusableEvent(`it is for the ${carriageways[0]} only`);
  return { kind: 'closed' };
}

/** A record without vehicles is for all; one of several descriptions is enough. */
function demandCars(record: Element): void {
  const described = childrenOf(record, 'forVehiclesWithCharacteristicsOf');
  const isForCars = ({ children }: Element): boolean =>
    children.every(({ name }) => name === 'vehicleType') &&
    (children.length === 0 || children.some(({ text }) => carTypes.includes(text)));
  if (described.length > 0 && !described.some(isForCars)) throw new UnusableEvent('it is not for all cars');
}
