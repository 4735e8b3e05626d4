import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SchemaRegistry } from '#platform/wire/schema-registry.js';

export interface SchemaRegistryUnderTest {
  readonly name: string;
  open(): Promise<SchemaRegistry>;
  dispose(): Promise<void>;
}

/** What every adapter of the schema-registry port must do. */
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

    it('gives a text a number, and the same text the same number', async () => {
      const name = newSubject();
      const text = proto('string a = 1;');
      const id = await registry.register(name, text);
      expect(id).toBeGreaterThan(0);
      expect(await registry.register(name, text)).toBe(id);
      expect(await registry.register(newSubject(), text)).toBe(id);
      expect(await registry.ids(name)).toEqual([id]);
    });

    it('gives the text of a number back', async () => {
      const text = proto('string b = 1;');
      const id = await registry.register(newSubject(), text);
      expect(await registry.schema(id)).toMatch(/string b = 1;/);
      expect(await registry.schema(2_000_000_000)).toBeUndefined();
    });

    it('numbers versions upwards and lists them oldest first', async () => {
      const name = newSubject();
      const first = await registry.register(name, proto('string a = 1;'));
      const second = await registry.register(name, proto('string a = 1; string b = 2;'));
      expect(second).toBeGreaterThan(first);
      expect(await registry.ids(name)).toEqual([first, second]);
      expect(await registry.ids(newSubject())).toEqual([]);
    });

    it('refuses a version that breaks older readers or writers', async () => {
      const name = newSubject();
      await registry.register(name, proto('string a = 1;'));
      await expect(registry.register(name, proto('int64 a = 1;'))).rejects.toMatchObject({
        name: 'SchemaRegistryError',
        retriable: false,
      });
      expect(await registry.ids(name)).toHaveLength(1);
    });

    it('refuses a text that is no Protobuf', async () => {
      await expect(registry.register(newSubject(), 'message {')).rejects.toMatchObject({
        name: 'SchemaRegistryError',
      });
    });

    it('remembers after a reopening', async () => {
      const name = newSubject();
      const text = proto('string c = 1;');
      const id = await registry.register(name, text);
      await registry.close();
      registry = await subject.open();
      expect(await registry.ids(name)).toEqual([id]);
      expect(await registry.register(name, text)).toBe(id);
    });

    it('reports that it can work', async () => {
      await expect(registry.check()).resolves.toBeUndefined();
    });
  });
}

const newSubject = (): string => `contract.${randomUUID()}-value`;

/** A package of its own for each text, as other runs may have registered the same one under this server. */
const run = randomUUID().slice(0, 8);
const proto = (fields: string): string =>
  `syntax = "proto3";\npackage contract.r${run};\n\nmessage Sample {\n  ${fields}\n}\n`;
