import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

// 64-bit integers are numbers in our messages (times and offsets below 2^53), so protobufjs must not make
// Long objects.
(protobuf.util as { Long: unknown }).Long = undefined;
protobuf.configure();

/** The text of a file below `schemas/proto/`, found from the sources and from the compiled tree. */
export function protoText(file: string): string {
  return readFileSync(join(protoFolder(), file), 'utf8');
}

/** Throws protobufjs' error with line and column for a text that is not Protobuf. */
export function parseProto(text: string): protobuf.Root {
  const { root: parsed } = protobuf.parse(text);
  parsed.resolveAll();
  return parsed;
}

let folder: string | undefined;

/** The compiled tree has no copy of the files: those of the sources are used, above it. */
function protoFolder(): string {
  if (folder !== undefined) return folder;
  for (let above = dirname(fileURLToPath(import.meta.url)); ; above = dirname(above)) {
    const found = join(above, 'schemas', 'proto');
    if (existsSync(found)) {
      folder = found;
      return found;
    }
    if (dirname(above) === above) throw new Error('The folder schemas/proto was not found above this file.');
  }
}
