/** `language` is empty for the local name and `*` for other spellings, which are searchable but not shown. */
export interface PlaceName {
  readonly language: string;
  readonly text: string;
}
