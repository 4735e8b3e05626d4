import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { incompatibilities, type ProtoShape, protoShape } from '#platform/wire/proto-compatibility.js';
import { parseProto, protoText } from '#platform/wire/proto-files.js';

const lockFile = fileURLToPath(new URL('../../schemas/proto.lock.json', import.meta.url));
const files = readdirSync(fileURLToPath(new URL('../../schemas/proto', import.meta.url))).toSorted();

/**
 * `schemas/proto.lock.json` holds every field number ever assigned. `UPDATE_PROTO_LOCK=1 npx vitest run
 * tests/contracts/proto-compatibility` adds new numbers to it; nothing in it may change, because stored
 * records are read with it.
 */
describe('Protobuf contracts', () => {
  it('every number, name and type that was ever published stays', () => {
    const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as Record<string, ProtoShape>;
    const faults = Object.entries(lock).flatMap(([file, shape]) => incompatibilities(shape, protoText(file)));
    expect(faults).toEqual([]);
    const current = Object.fromEntries(
      files.map((file) => [file, merged(lock[file], protoShape(protoText(file)))]),
    );
    if (process.env['UPDATE_PROTO_LOCK'] === '1')
      writeFileSync(lockFile, `${JSON.stringify(current, null, 2)}\n`);
    else expect(current, 'UPDATE_PROTO_LOCK=1 adds new fields to schemas/proto.lock.json').toEqual(lock);
  });

  it('rejects a number that changes type or name, is removed without reservation, or moves', () => {
    const shape = protoShape(
      'syntax = "proto3"; message A { string a = 1; repeated int64 b = 2; E e = 3; } enum E { X = 0; }',
    );
    const broken = (text: string): string[] =>
      incompatibilities(shape, `syntax = "proto3"; ${text} enum E { X = 0; }`);
    expect(broken('message A { string a = 1; repeated int64 b = 2; E e = 3; bool more = 4; }')).toEqual([]);
    expect(broken('message A { reserved 1; repeated int64 b = 2; E e = 3; }')).toEqual([]);
    expect(broken('message A { repeated int64 b = 2; E e = 3; }')).toEqual([
      expect.stringContaining("'reserved 1;'"),
    ]);
    expect(broken('message A { int32 a = 1; repeated int64 b = 2; E e = 3; }')).toHaveLength(1);
    expect(broken('message A { string z = 1; repeated int64 b = 2; E e = 3; }')).toHaveLength(1);
    expect(broken('message A { string a = 2; repeated int64 b = 1; E e = 3; }')).toHaveLength(2);
    expect(broken('message A { string a = 1; int64 b = 2; E e = 3; }')).toHaveLength(1);
    expect(broken('message B { string a = 1; }')).toEqual(['A was removed: keep it.']);
  });

  it('the contracts equal schemas/messages.ts, field by field', () => {
    const source = fileURLToPath(new URL('../../schemas/messages.ts', import.meta.url));
    const interfaces = interfacesOf(source);
    expect([...interfaces.keys()].length).toBeGreaterThan(8);
    for (const [name, fields] of interfaces) {
      const type = messageType(name);
      const expected = Object.fromEntries(
        type.fieldsArray.map((field) => [field.name, typescriptType(field)]),
      );
      expect(fields, name).toEqual(expected);
    }
    const messages = files
      .flatMap((file) => Object.keys(protoShape(protoText(file))))
      .filter((name) => !isEnum(name));
    const described = messages
      .map((name) => name.split('.').at(-1)!)
      .filter((name) => !['LocationBatch', 'LocationUpload'].includes(name));
    expect(described.toSorted()).toEqual([...interfaces.keys()].toSorted());
  });
});

const roots = files.map((file) => parseProto(protoText(file)));

function messageType(name: string): import('protobufjs').Type {
  for (const root of roots) {
    const found = root.lookup(name);
    if (found !== null) return root.lookupType(name);
  }
  throw new Error(`No .proto file has a message ${name}.`);
}

function isEnum(fullName: string): boolean {
  return roots.some((root) => {
    const found = root.lookup(fullName);
    return found !== null && 'valuesById' in found;
  });
}

function typescriptType(field: import('protobufjs').Field): string {
  field.resolve();
  const one =
    field.resolvedType !== null && 'fieldsArray' in field.resolvedType
      ? field.resolvedType.name
      : ({ string: 'string', bool: 'boolean', bytes: 'Uint8Array' }[field.type] ?? 'number');
  return field.repeated ? `readonly ${one}[]` : one;
}

function interfacesOf(file: string): Map<string, Record<string, string>> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const interfaces = new Map<string, Record<string, string>>();
  for (const statement of source.statements) {
    if (!ts.isInterfaceDeclaration(statement)) continue;
    const members = statement.members.filter(ts.isPropertySignature);
    interfaces.set(
      statement.name.text,
      Object.fromEntries(members.map((member) => [member.name.getText(), typeOf(member)])),
    );
  }
  return interfaces;
}

/** A field that may be left out may as well be there without a value. */
function typeOf({ type, questionToken }: ts.PropertySignature): string {
  const text = type!.getText();
  return questionToken === undefined ? text : text.replace(/ \| undefined$/, '');
}

/** The lock keeps numbers that were reserved since, so that no number returns with another meaning. */
function merged(locked: ProtoShape | undefined, current: ProtoShape): ProtoShape {
  const names = new Set([...Object.keys(locked ?? {}), ...Object.keys(current)]);
  return Object.fromEntries([...names].map((name) => [name, { ...locked?.[name], ...current[name] }]));
}
