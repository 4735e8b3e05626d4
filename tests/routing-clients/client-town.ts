import { type OsrmTown, openOsrmTown } from '../api/osrm-town.js';

/**
 * 20 m per character, east and south of 0,0. AB has two lanes, of which the right one turns into BE. HIJ is a
 * motorway with an exit at I. XY is not connected to
 * the others and too far away to be reached from one of them.
 */
const drawing = `
A---------B---------C---------D
          |         |         |
          |         |         |
          E---------F         |
                              |
                              G
                              |
H------------------------I----J----------K
                          \\
                           \\
                            L----M${' '.repeat(60)}X----Y`;

/** A town behind the gateway, as clients of OSRM find it. */
export const openClientTown = (): Promise<OsrmTown> =>
  openOsrmTown(drawing, {
    ways: {
      AB: {
        highway: 'primary',
        name: 'High Street',
        oneway: 'yes',
        lanes: '2',
        'turn:lanes': 'through|right',
      },
      BCD: { highway: 'primary', name: 'High Street' },
      BE: { name: 'Mill Lane' },
      HI: { highway: 'motorway', name: '', ref: 'A 1', oneway: 'yes' },
      IJK: { highway: 'motorway', name: '', ref: 'A 1', oneway: 'yes' },
      IL: { highway: 'motorway_link', name: '', oneway: 'yes', destination: 'Harbour', 'junction:ref': '7' },
    },
  });
