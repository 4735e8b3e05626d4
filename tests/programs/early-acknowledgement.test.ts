import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../main-job/running-platform.js';
import { lostBatches, strangeBatches } from './read-back.js';
import { startSenders } from './recorded-senders.js';

/**
 * Batches that the server below does not append: more than there are drivers, so that some of them were
 * acknowledged.
 */
const kept = 10;
/**
 * An ingest server that answers first and appends afterwards, like one that only calls `send` of a batching
 * producer and does not await it.
 */
const server = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
const [port, file] = process.argv.slice(1);
const gathered = [];
createServer(async (request, answer) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  answer.writeHead(202).end();
  gathered.push(JSON.parse(body).batch_id);
  if (gathered.length > ${kept}) appendFileSync(file, gathered.shift() + '\\n');
}).listen(Number(port), '127.0.0.1', () => console.log('listening'));
`;

it('F1: the harness detects a server that acknowledges before it appends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-early-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [port, file] = [await freePort(), join(folder, 'log')];
  const child = spawn(process.execPath, ['--input-type=module', '-e', server, String(port), file]);
  await once(child.stdout, 'data');
  const drivers = ['a', 'b', 'c', 'd'].map((userId) => ({ userId, token: 'any' }));
  const senders = startSenders(`http://127.0.0.1:${port}`, drivers);
  await senders.more(40);
  child.kill('SIGKILL');
  await once(child, 'close');
  await senders.stop();
  const inLog = new Set((await readFile(file, 'utf8')).split('\n').filter((line) => line !== ''));
  expect(lostBatches(senders.batches, inLog).length).toBeGreaterThan(0);
  expect(strangeBatches(senders.batches, inLog)).toEqual([]);
});
