/** Many roads have no name; a sentence about one still needs a word to begin with. */
export function roadName(road: string): string {
  return road === '' ? 'Unnamed road' : road;
}
