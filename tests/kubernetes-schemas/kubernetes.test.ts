import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';
import { pythonWheels } from '../python-wheels.js';

/** The oldest and the newest version that the wheel has; `strict` refuses unknown fields. */
const versions = ['v1.25.0-local-strict', 'v1.37.0-local-strict'];
const folder = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url));

interface Container {
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
}
interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly minAvailable: number;
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly secret?: { readonly secretName: string } }[];
      };
    };
  };
  readonly data: Readonly<Record<string, string>>;
  readonly stringData: Readonly<Record<string, string>>;
}

const resourcesIn = (file: string): Resource[] =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Resource;
  });
const { resources: listed } = resourcesIn('kustomization.yaml')[0] as unknown as { resources: string[] };
const applied = listed.flatMap(resourcesIn);
const secrets = resourcesIn('secrets.example.yaml');
const deployments = applied.filter(({ kind }) => kind === 'Deployment');

/** `deployment-apps-v1`, as the schemas are called. */
const schemaName = ({ apiVersion, kind }: Resource): string => {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return [kind.toLowerCase(), group!.split('.')[0], version].filter((part) => part !== '').join('-');
};

describe('the files for Kubernetes', () => {
  let schemas: Record<string, object>;
  beforeAll(() => {
    const wanted = ['_definitions', ...new Set([...applied, ...secrets].map(schemaName))];
    const read = `
import json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
path = 'kubernetes_validate/kubernetes-json-schema/%s/%s.json'
names = [(v, n) for v in json.loads(sys.argv[2]) for n in json.loads(sys.argv[3])]
json.dump({v + '/' + n: json.loads(wheel.read(path % (v, n))) for v, n in names}, sys.stdout)`;
    const args = [
      '-c',
      read,
      ...pythonWheels('kubernetes-schemas'),
      JSON.stringify(versions),
      JSON.stringify(wanted),
    ];
    const python = process.env['PYTHON'] ?? 'python3';
    schemas = JSON.parse(
      execFileSync(python, args, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }),
    ) as typeof schemas;
  });

  const faultsOf = (version: string, resource: Resource): unknown => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    ajv.addSchema(schemas[`${version}/_definitions`]!, 'https://kubernetes/api/_definitions.json');
    const validate = ajv.compile({
      ...schemas[`${version}/${schemaName(resource)}`],
      $id: 'https://kubernetes/api/resource.json',
    });
    return validate(resource) ? undefined : ajv.errorsText(validate.errors);
  };

  it.each(versions)('hold to the schemas of %s, in which a typing error is a fault', (version) => {
    for (const resource of [...applied, ...secrets])
      expect([resource.kind, resource.metadata.name, faultsOf(version, resource)]).toEqual([
        resource.kind,
        resource.metadata.name,
        undefined,
      ]);
    const wrong = structuredClone(deployments[0]!) as {
      spec: { template: { spec: Record<string, unknown> } };
    };
    wrong.spec.template.spec['terminationGracePeriodSecond'] = 20;
    expect(faultsOf(version, wrong as unknown as Resource)).toContain('additional properties');
  });

  it('are all listed, and each program has a service and a budget of disruptions', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    expect(files.toSorted()).toEqual([...listed, 'kustomization.yaml', 'secrets.example.yaml'].toSorted());
    const names = (wanted: string) =>
      applied.filter(({ kind }) => kind === wanted).map(({ metadata }) => metadata.name);
    expect(names('Deployment')).toEqual(['ingest', 'processors', 'api', 'bookings']);
    expect(names('Service')).toEqual(names('Deployment'));
    expect(names('PodDisruptionBudget')).toEqual(names('Deployment'));
    for (const { spec } of applied.filter(({ kind }) => kind === 'PodDisruptionBudget'))
      expect(spec.minAvailable).toBeLessThan(deployments[0]!.spec.replicas);
  });

  it('are settings that the programs accept, with a drain that fits into the grace period', () => {
    const { data } = applied.find(({ kind }) => kind === 'ConfigMap')!;
    const secret = secrets.find(({ metadata }) => metadata.name === 'meridian')!;
    const outcome = readConfig(settings, { ...data, ...secret.stringData });
    expect(outcome).toMatchObject({ ok: true });
    const files = Object.values(data).flatMap((text) => [
      ...text.matchAll(/\/run\/secrets\/meridian\/([\w.]+)/g),
    ]);
    const passwords = secrets.find(({ metadata }) => metadata.name === 'meridian-passwords')!;
    expect(new Set(files.map(([, name]) => name!))).toEqual(new Set(Object.keys(passwords.stringData)));
    for (const { spec } of deployments) {
      const [{ lifecycle }] = spec.template.spec.containers;
      const waitS = Number(lifecycle.preStop.exec.command[1]);
      const graceS = spec.template.spec.terminationGracePeriodSeconds;
      // After the deadline a program is killed within a second; two more for a busy node.
      expect(graceS).toBeGreaterThanOrEqual(waitS + Number(data['DRAIN_MS']) / 1_000 + 3);
    }
  });

  it('start programs and ask paths that exist', async () => {
    const { operationsRoutes } = await import('#platform/lifecycle/operations-routes.js');
    const served = operationsRoutes({} as Parameters<typeof operationsRoutes>[0])
      .map(({ contract }) => contract)
      .filter(({ listener }) => listener === 'both')
      .map(({ path }) => path);
    const help = execFileSync(process.execPath, [join(folder, '../../bin/meridian.js'), '--help'], {
      encoding: 'utf8',
    });
    const known = new Set(secrets.map(({ metadata }) => metadata.name));
    for (const { spec, metadata } of deployments) {
      const { labels } = spec.template.metadata;
      expect(labels).toMatchObject(spec.selector.matchLabels);
      const [container] = spec.template.spec.containers;
      expect(container.args).toEqual([metadata.name]);
      expect(help).toMatch(new RegExp(`^  ${container.args[0]}\\b`, 'm'));
      const ports = container.ports.map(({ name }) => name);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
        expect(served).toContain(container[probe]!.httpGet.path);
        expect(ports).toContain(container[probe]!.httpGet.port);
      }
      for (const { secret } of spec.template.spec.volumes)
        if (secret !== undefined) expect(known).toContain(secret.secretName);
    }
  });
});
