import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

// 64-bit integers are numbers in our messages (times and offsets below 2^53), so protobufjs must not make Long objects.
(protobuf.util as { Long: unknown }).Long = undefined;
protobuf.configure();

/** The text of a file below `schemas/proto/`, found from the sources as well as from the compiled tree. */
export function protoText(file: string): string {
  return readFileSync(join(packageRoot(), 'schemas', 'proto', file), 'utf8');
}

/** Throws protobufjs' error with line and column for a text that is not Protobuf. */
export function parseProto(text: string): protobuf.Root {
  const { root: parsed } = protobuf.parse(text);
  parsed.resolveAll();
  return parsed;
}

let root: string | undefined;

function packageRoot(): string {
  if (root !== undefined) return root;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (
      existsSync(manifest) &&
      (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name === 'meridian'
    ) {
      root = folder;
      return root;
    }
    if (dirname(folder) === folder)
      throw new Error(
        'The folder of the package meridian was not found above this file; is package.json missing?',
      );
  }
}
