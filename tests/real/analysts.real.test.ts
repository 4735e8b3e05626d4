import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { startAnalytics } from '#processors/analytics/start-analytics.js';
import { incidentKind, incidentSource, observationKind } from '#schemas/messages.js';
import { required } from '../contracts/required-variable.js';
import { eventually } from '../eventually.js';
import { gridNetwork } from '../processors/grid-network.js';
import { groupDeps, openLocalPlatform } from '../processors/local-platform.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = await readFile(join(root, 'docs/analysts.md'), 'utf8');
const requirements = join(root, 'docs/analysts-requirements.txt');
/** Blocks marked `run=…` are run here unchanged. */
const block = (language: string, about: string): string => {
  const found = new RegExp(`\`\`\`${language} run=${about}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/analysts.md has no ${language} block about ${about}`);
  return found;
};
const run = promisify(execFile);

describe('the examples of docs/analysts.md', () => {
  const own = randomUUID().slice(0, 8);
  const incidentId = `analyst-test-${own}`;
  const edgeId = `${Number.parseInt(own, 16)}:1-2+`;
  const broker = required('EVENT_LOG', 'kafka://').slice('kafka://'.length);
  let python: string;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-analysts-'));
    python = await virtualEnvironment();
    const log = await openEventLog(required('EVENT_LOG'));
    const registry = await openSchemaRegistry(required('SCHEMA_REGISTRY_URL'));
    const codecs = await openTopicCodecs(registry);
    const { trafficIncidentChanged: incidents, trafficSegmentSpeed: speeds } = codecs;
    await log.createTopics([incidents.topic, speeds.topic]);
    const incident = {
      ...{ incidentId, kind: incidentKind.closed, source: incidentSource.detected, active: false },
      ...{ tilesetId: 'analysts', edgeIds: [edgeId], speedKph: 0, startedMs: 1, expiresMs: 2 },
      ...{ evidence: '4 of 4 turned away', lastEvidenceMs: 1 },
    };
    // A broker that has just started refuses connections at first.
    await eventually(
      () => log.append(incidents.topic.name, [{ key: incidentId, value: incidents.encode(incident) }]),
      { everyMs: 500 },
    );
    const segment = { edgeId, speedKph: 31, probes: 7, confidence: 0.5, cleared: false };
    const speed = { tilesetId: 'analysts', cell: 1, windowEndMs: 1_795_000_000_000, segments: [segment] };
    await log.append(speeds.topic.name, [{ key: '1', value: speeds.encode(speed) }]);
    await log.close();
    await registry.close();
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Replaces the addresses, names and folders of the page with those of the test. */
  const here = (text: string): string =>
    text
      .replaceAll('localhost:9092', broker)
      .replaceAll("'analyst-", `'analyst-${own}-`)
      .replaceAll('"analyst-', `"analyst-${own}-`)
      .replaceAll('analyst/bin/python', python)
      .replaceAll('--python_out=.', `--python_out=${folder}`)
      .replaceAll('data/objects', `${folder}/objects`);
  const shell = (text: string) =>
    run('bash', ['-euo', 'pipefail', '-c', here(text)], {
      cwd: root,
      env: { ...process.env, MERIDIAN_DATA: join(folder, 'data') },
    });
  const inPython = (text: string) =>
    run(python, ['-c', here(text)], { cwd: folder, env: { ...process.env, PYTHONPATH: folder } });

  it('topics with meridian and jq', async () => {
    const { stdout } = await shell(block('sh', 'topics'));
    expect(stdout).toContain(`${incidentId}\t4 of 4 turned away\tfalse`);
  });

  it("topics with Confluent's client for Python", async () => {
    await shell(block('sh', 'classes'));
    const { stdout } = await inPython(block('python', 'topics'));
    expect(stdout).toContain(`1795000000000 ${edgeId} 31.0 7`);
  });

  it('topics with kafkajs', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', here(block('js', 'topics'))], {
      cwd: root,
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    try {
      await eventually(() => expect(said).toContain(`"incidentId":"${incidentId}"`));
      expect(said).toContain('"evidence":"4 of 4 turned away"');
    } finally {
      child.kill();
    }
  });

  it('files with DuckDB, Apache Arrow and hyparquet, which read the same', async () => {
    const edge = await writeFiles(join(folder, 'objects'));
    const duck = await inPython(block('python', 'files'));
    expect(duck.stdout).toContain(`('${edge}', datetime.datetime(2026, 11, 16, 8, 0`);
    expect(duck.stdout).toContain('6, 36.0)');
    const second = page.slice(page.indexOf('## 2. Python, with Apache Arrow'));
    const arrow = await inPython(/```python run=files\n([\s\S]*?)```/.exec(second)![1]!);
    expect(arrow.stdout).toContain(`'edge_id': '${edge}', 'passages': 6, 'duration_s': 180.0`);
    expect(arrow.stdout).toContain('datetime.datetime(2026, 11, 16, 8, 0, tzinfo=');
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '-e', here(block('js', 'files'))],
      { cwd: root },
    );
    expect(stdout).toMatch(new RegExp(`edge_id: '${edge.replace('+', '\\+')}'`));
    expect(stdout).toContain('passages: 6');
  });
});

/** Six drivers on one edge, collected by the group itself. */
async function writeFiles(folder: string): Promise<string> {
  const grid = await gridNetwork(3, 3, 300);
  const edge = grid.ids(grid.way([0, 0], [1, 0]))[0]!;
  const platform = await openLocalPlatform();
  const objects = await DirectoryObjectStore.open(folder);
  const leftMs = Date.UTC(2026, 10, 16, 8, 5);
  const tell = (drivers: readonly number[], atMs: number) =>
    platform.append(platform.codecs.trafficEdgeObserved, '1', {
      ...{ tilesetId: grid.network.tilesetId, cell: 1 },
      observations: drivers.map((driver) => ({
        ...{ edgeId: edge, kind: observationKind.passed, driver, leftMs: atMs, receivedMs: atMs },
        enteredMs: atMs - 30_000,
      })),
    });
  await tell([1, 2, 3, 4, 5, 6], leftMs);
  await tell([1], leftMs + 7_200_000);
  const group = await startAnalytics({
    ...groupDeps(platform),
    objects,
    network: grid.network,
    driversMin: 5,
  });
  await eventually(() => expect(group.stats()['ranges']).toBe(1));
  await group.close();
  await platform.close();
  return edge;
}

/** The requirements of the page, cached between runs under their digest. */
async function virtualEnvironment(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 10);
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'meridian-infra');
  const place = join(cache, `analysts-${digest}`);
  if (existsSync(place)) return join(place, 'bin/python');
  await mkdir(cache, { recursive: true });
  const partial = `${place}.${process.pid}`;
  const must = (command: string, args: readonly string[]): void => {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  };
  must('python3', ['-m', 'venv', partial]);
  must(join(partial, 'bin/python'), ['-m', 'pip', 'install', '-q', '-r', requirements]);
  await rename(partial, place);
  return join(place, 'bin/python');
}
