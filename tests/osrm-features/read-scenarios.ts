import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';

export interface Step {
  readonly text: string;
  readonly table?: Table;
  readonly lines?: readonly string[];
}
/** The first row may be a header. */
export type Table = readonly (readonly string[])[];

export interface Scenario {
  /** Path below `features/`. */
  readonly file: string;
  readonly name: string;
  /** Line in the file. */
  readonly line: number;
  readonly tags: readonly string[];
  /** Those of the background come first. */
  readonly steps: readonly Step[];
}

/** The scenarios of a feature file, with the steps of its background. */
export function readScenarios(text: string, file: string): Scenario[] {
  let ids = 0;
  const newId = (): string => String(ids++);
  const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher());
  return compile(parser.parse(text), file, newId).map((pickle) => ({
    file,
    name: pickle.name,
    line: pickle.location?.line ?? 0,
    tags: pickle.tags.map(({ name }) => name),
    steps: pickle.steps.map(({ text: step, argument }) => ({
      text: step,
      ...(argument?.dataTable === undefined
        ? {}
        : { table: argument.dataTable.rows.map(({ cells }) => cells.map(({ value }) => value)) }),
      ...(argument?.docString === undefined ? {} : { lines: argument.docString.content.split('\n') }),
    })),
  }));
}

/** A table whose first row names the columns; of two columns with one name the last counts. */
export const rowsOf = ([header = [], ...rows]: Table): Record<string, string>[] =>
  rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
