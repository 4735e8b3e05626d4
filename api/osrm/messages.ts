/** Texts of the OSRM layer. Sentences without a full stop are those of OSRM. */
export const messages = {
  unknownOption: (name: string, service: string) => `"${name}" is not an option of the ${service} service.`,
  badOption: (name: string, form: string, text: string) => `${name} must be ${form}, not "${text}".`,
  badCoordinate: (text: string) => `"${text}" is not a coordinate. Write longitude,latitude.`,
  noObject: 'The body must be a JSON object with coordinates and options.',
  noCoordinates: 'The body has no coordinates.',
  badMember: (name: string) => `"${name}" must be a value, or a list of values.`,
  profiles: (known: readonly string[]) => `The profile must be one of ${known.join(', ')}.`,
  languages: (offered: readonly string[]) => `language must be one of ${offered.join(', ')}.`,
  elements: (name: string, size: number, length: number) =>
    `Number of elements in ${name} size ${size} does not match coordinate size ${length}`,
  twoCoordinates: 'Number of coordinates needs to be at least two.',
  bearing: (deg: number, rangeDeg: number) =>
    `The bearing ${deg},${rangeDeg} is invalid. The direction must be 0 to 360, the range 0 to 180.`,
  radius: (radius: number) => `The radius ${radius} is negative.`,
  noCoordinate: (index: number) => `Coordinate ${index} does not exist. Indices start at 0.`,
  tooManyStops: (length: number, most: number) =>
    `Number of entries ${length} is higher than current maximum (${most})`,
  tooManyAlternatives: (most: number) =>
    `Requested number of alternatives is higher than current maximum (${most})`,
  notOnEarth: (lng: number, lat: number) =>
    `${lng},${lat} is out of range. Write longitude,latitude, up to 180 and 90 degrees.`,
  timesDescend: 'Timestamps need to be monotonically increasing.',
  noSegmentForAny: 'Could not find a matching segment for any coordinate.',
  noMatch: 'Could not match the trace.',
  noMatchOfWaypoints: 'Could not match the trace with the given waypoints.',
  waypointEnds: 'First and last coordinates must be specified as waypoints.',
  badHint: (hint: string) => `"${hint}" is not a hint from this server.`,
  exclude: (classes: readonly string[]) => `exclude must be ${classes.join(', ')}, or only none.`,
  noNodes: 'The annotation nodes is not available: an older program built this map. Build it again.',
  instructionsOfSteps: 'voice_instructions and banner_instructions need steps=true.',
  departAt: (reason: string) => `depart_at: ${reason}`,
  noSizes: (name: string) => `${name} is not for a trace: the truck has driven it, whatever its size.`,
  onlyJson: 'The only format is json.',
  noSegmentNear: 'Could not find a matching segment for coordinate',
  noSegment: (stop: number) => `Could not find a matching segment for coordinate ${stop}`,
  allExcluded: (from: number) =>
    `Every route between coordinates ${from} and ${from + 1} uses an excluded class.`,
  tooManyResults: (count: number, most: number) =>
    `Number of results ${count} is higher than current maximum (${most})`,
  noResults: 'number must be at least 1.',
  badTile: (text: string) => `"${text}" is not a tile. Write tile({x},{y},{zoom}).mvt with integers.`,
  noTile: (zoomMin: number, zoomMax: number) =>
    `The zoom of a tile must be ${zoomMin} to ${zoomMax}, x and y less than 2 to the power of zoom.`,
  fullTile: (roads: number, most: number) =>
    `The tile has ${roads} roads, more than the maximum of ${most}. Ask for a higher zoom.`,
  tooManyCells: (cells: number, most: number) =>
    `The table has ${cells} cells, more than the maximum of ${most}: sources times destinations.`,
  notPositive: (name: string, value: number) => `${name} must be greater than 0, not ${value}.`,
  openTrip: 'A trip that is no round trip needs source=first, destination=last, or both.',
  noTrip: 'No trip visiting all destinations possible.',
  noRoute: (from: number) => `No route found between coordinates ${from} and ${from + 1}.`,
  moved: (stop: number, metres: number) =>
    `Coordinate ${stop} is reached ${metres} m away: no route leads to or from a closer road.`,
} as const;
