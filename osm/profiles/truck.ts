import { usualTruck } from '#routing-engine/network/vehicle.js';
import { driving } from './driving.js';
import type { Profile } from './profile.js';

/**
 * Truck of any size: what is too low, narrow or weak for one is a condition of each route. Speeds are
 * averages on a free road.
 */
export const truck: Profile = {
  ...driving,
  mode: 'truck',
  accessKeys: ['hgv', 'motor_vehicle', 'vehicle', 'access'],
  classKph: {
    motorway: 78,
    motorway_link: 40,
    trunk: 70,
    trunk_link: 35,
    primary: 55,
    primary_link: 27,
    secondary: 45,
    secondary_link: 22,
    tertiary: 35,
    tertiary_link: 18,
    unclassified: 20,
    road: 20,
    residential: 20,
    living_street: 8,
    service: 12,
  },
  permittedKph: 8,
  // What is closed to light ones is closed to heavy ones; what is open to light ones only stays closed.
  unusualWith: { goods: ['no'] },
  maxspeedKeys: ['maxspeed:hgv'],
  topKph: 80,
  tollKeys: ['toll:hgv', 'toll:motor_vehicle', 'toll:vehicle', 'toll'],
  onewayKeys: ['oneway:hgv', 'oneway:motor_vehicle', 'oneway:vehicle'],
  restrictedAs: ['hgv', 'motor_vehicle', 'vehicle'],
  vehicle: { usual: usualTruck, isAsked: true },
  turns: { turnS: 9, acrossBias: 1.075, uturnS: 25, signalS: 2, uturnsAtEndsOnly: true },
};
