import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SchemaRegistry } from '#platform/wire/schema-registry.js';

export interface SchemaRegistryUnderTest {
  readonly name: string;
  open(): Promise<SchemaRegistry>;
  dispose(): Promise<void>;
}

/** The requirements of every adapter of the schema-registry port. */
export function schemaRegistryContract(subject: SchemaRegistryUnderTest): void {
  describe(`schema registry contract: ${subject.name}`, () => {
    let registry: SchemaRegistry;
    beforeAll(async () => {
      registry = await subject.open();
    });
    afterAll(async () => {
      await registry.close();
      await subject.dispose();
    });

    it('assigns a schema an id, and the same schema the same id', async () => {
      const name = newSubject();
      const text = proto('string a = 1;');
      const id = await registry.register(name, text);
      expect(id).toBeGreaterThan(0);
      expect(await registry.register(name, text)).toBe(id);
      expect(await registry.register(newSubject(), text)).toBe(id);
      expect(await registry.ids(name)).toEqual([id]);
    });

    it('returns the schema for its id', async () => {
      const text = proto('string b = 1;');
      const id = await registry.register(newSubject(), text);
      expect(await registry.schema(id)).toMatch(/string b = 1;/);
      expect(await registry.schema(2_000_000_000)).toBeUndefined();
    });

    it('numbers versions upwards and lists the oldest first', async () => {
      const name = newSubject();
      const first = await registry.register(name, proto('string a = 1;'));
      const second = await registry.register(name, proto('string a = 1; string b = 2;'));
      expect(second).toBeGreaterThan(first);
      expect(await registry.ids(name)).toEqual([first, second]);
      expect(await registry.ids(newSubject())).toEqual([]);
    });

    it('rejects a version that breaks older readers or writers', async () => {
      const name = newSubject();
      await registry.register(name, proto('string a = 1;'));
      await expect(registry.register(name, proto('int64 a = 1;'))).rejects.toMatchObject({
        name: 'SchemaRegistryError',
        retriable: false,
      });
      expect(await registry.ids(name)).toHaveLength(1);
    });

    it('rejects text that is not Protobuf', async () => {
      await expect(registry.register(newSubject(), 'message {')).rejects.toMatchObject({
        name: 'SchemaRegistryError',
      });
    });

    it('keeps schemas when it is reopened', async () => {
      const name = newSubject();
      const text = proto('string c = 1;');
      const id = await registry.register(name, text);
      await registry.close();
      registry = await subject.open();
      expect(await registry.ids(name)).toEqual([id]);
      expect(await registry.register(name, text)).toBe(id);
    });

    it('reports that it is ready', async () => {
      await expect(registry.check()).resolves.toBeUndefined();
    });
  });
}

const newSubject = (): string => `contract.${randomUUID()}-value`;

/** A separate package for each schema, because other runs may have registered the same one on this server. */
const run = randomUUID().slice(0, 8);
const proto = (fields: string): string =>
  `syntax = "proto3";\npackage contract.r${run};\n\nmessage Sample {\n  ${fields}\n}\n`;
