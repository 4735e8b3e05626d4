/** Whether `If-None-Match` names the tag; `tag` is quoted. */
export function isUnchanged(asked: string | undefined, tag: string): boolean {
  if (asked === undefined) return false;
  return asked.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
