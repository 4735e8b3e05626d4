import { InvalidArgumentError } from 'commander';
import { driversMax } from '#simulated-city/limits.js';

/** Parsers of option values; commander prints their errors with the name of the option. */
export const oneOf =
  (...words: readonly string[]) =>
  (text: string): string => {
    if (!words.includes(text)) throw new InvalidArgumentError(`use one of ${words.join(', ')}.`);
    return text;
  };

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('use a whole number.');
  return Number(text);
}

export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('use a whole number above 0.');
  return number;
}

export function driverCount(text: string): number {
  const drivers = wholeNumber(text);
  if (drivers > driversMax) throw new InvalidArgumentError(`use at most ${driversMax} drivers.`);
  return drivers;
}

export function extractFile(text: string): string {
  if (!text.endsWith('.pbf')) throw new InvalidArgumentError('use an OpenStreetMap extract, .osm.pbf.');
  return text;
}

export function baseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('use an http or https address.');
  return text.replace(/\/+$/, '');
}
