/** Numbers within a margin: `12.5` and `12 +-1`. */
const isNear = (got: string | undefined, want: string, margin: number): boolean =>
  Math.abs(Number.parseFloat(got ?? '') - Number.parseFloat(want)) <= margin;

/**
 * Whether a value is what a cell of OSRM's tables expects. A cell is a text, or a number or list of numbers
 * with a margin (`100m +-5`, `90->180 +-2`, `100 ~5%`), or a regular expression between slashes.
 */
export function isExpected(got: string | undefined, cell: string): boolean {
  const want = cell.replaceAll('\\|', '|').replaceAll('\\\\', '\\');
  if (want === (got ?? '')) return true;
  const list = /^((?:\d+->\d+,?)+|(?:(?:true|false):\d+[\s,;]?)+)\s+\+-(.+)$/.exec(want);
  if (list !== null) return isNearList(got ?? '', list[1]!, Number.parseFloat(list[2]!));
  const percent = /^(.*)\s+~(.+)%$/.exec(want);
  if (percent !== null) {
    const target = Number.parseFloat(percent[1]!);
    if (target === 0) return true;
    return 100 * Math.abs(1 - Number.parseFloat(got ?? '') / target) < Number.parseFloat(percent[2]!);
  }
  const margin = /^(.*?)\s*\+-\s*(.+)$/.exec(want);
  if (margin !== null) return isNear(got, margin[1]!, Number.parseFloat(margin[2]!));
  const pattern = /^\/(.*)\/$/.exec(want)?.[1];
  return pattern !== undefined && new RegExp(pattern).test(got ?? '');
}

/** The same words and separators, and every number within the margin. */
function isNearList(got: string, want: string, margin: number): boolean {
  const numbers = /\d+(?:\.\d+)?/g;
  if (got.replaceAll(numbers, '#') !== want.trim().replaceAll(numbers, '#')) return false;
  const gotten = got.match(numbers) ?? [];
  return (want.match(numbers) ?? []).every((each, at) => isNear(gotten[at], each, margin));
}

/** OSRM gives the roads of a crossing in steps of this many degrees, and directions of travel exactly. */
const BEARING_STEP = 15;

/** The same crossings, with bearings as exact as OSRM's. */
export function areExpectedBearings(got: string, cell: string): boolean {
  if (isExpected(got, cell)) return true;
  const [, want = cell, margin = '0'] = /^(.*?)\s*\+-\s*([\d.]+)$/.exec(cell) ?? [];
  const numbers = /\d+/g;
  if (got.replaceAll(numbers, '#') !== want.replaceAll(numbers, '#')) return false;
  const given = got.match(numbers) ?? [];
  return (want.match(numbers) ?? []).every((each, at) => {
    const rounded = (Math.round(Number(given[at]) / BEARING_STEP) * BEARING_STEP) % 360;
    return rounded === Number(each) || Math.abs(Number(given[at]) - Number(each)) <= Number(margin);
  });
}
