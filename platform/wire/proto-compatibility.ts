import type protobuf from 'protobufjs';
import { parseProto } from './proto-files.js';

/** Each message's fields and each enum's values by number: these must not change once records are written. */
export interface ProtoShape {
  readonly [fullName: string]: Readonly<Record<string, string>>;
}

export function protoShape(text: string): ProtoShape {
  const shape: Record<string, Record<string, string>> = {};
  collect(parseProto(text), shape);
  return shape;
}

/**
 * The incompatibilities between two versions, in either direction, as sentences. Fields may be added; one may
 * be removed when its number is reserved; nothing may change its number, name or type.
 */
export function incompatibilities(before: ProtoShape, newText: string): string[] {
  const after = protoShape(newText);
  const root = parseProto(newText);
  return Object.entries(before).flatMap(([name, fields]) => {
    const kept = after[name];
    if (kept === undefined) return [`${name} was removed: keep it.`];
    return Object.entries(fields).flatMap(([number, was]) => {
      const is = kept[number];
      if (is === was) return [];
      if (is !== undefined)
        return [`Number ${number} of ${name} was '${was}' and became '${is}': use a new number.`];
      return isReserved(root, name, Number(number))
        ? []
        : [`Number ${number} of ${name} ('${was}') was removed: write 'reserved ${number};'.`];
    });
  });
}

function collect(namespace: protobuf.NamespaceBase, shape: Record<string, Record<string, string>>): void {
  for (const nested of namespace.nestedArray) {
    const name = nested.fullName.slice(1);
    if ('fieldsArray' in nested) {
      const type = nested as protobuf.Type;
      shape[name] = Object.fromEntries(
        type.fieldsArray.map((field) => [
          field.id,
          `${field.repeated ? 'repeated ' : ''}${typeOf(field)} ${field.name}`,
        ]),
      );
    } else if ('valuesById' in nested) shape[name] = { ...(nested as protobuf.Enum).valuesById };
    if ('nestedArray' in nested) collect(nested as protobuf.NamespaceBase, shape);
  }
}

function typeOf(field: protobuf.Field): string {
  return field.resolvedType?.fullName.slice(1) ?? field.type;
}

function isReserved(root: protobuf.Root, name: string, number: number): boolean {
  const found = root.lookup(name) as protobuf.Type | protobuf.Enum | null;
  return found?.isReservedId(number) ?? false;
}
