import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Missing } from '../missing.js';
import {
  graphHopperClasses,
  graphHopperLibraries,
  peerPython,
  peerSource,
  peersFolder,
} from './peers-folder.js';
import { runCommand } from './run-command.js';

const pythonPackages = ['pyvalhalla==3.9.1', 'osrm-bindings==26.10.0'];
const graphHopper = { group: 'com.graphhopper', artifact: 'graphhopper-core', version: '11.0' };

/** Installs pinned versions of OSRM, Valhalla and GraphHopper in the folder of the peers, if missing. */
export function installPeers(say: (line: string) => void): void {
  mkdirSync(peersFolder, { recursive: true });
  once('python', pythonPackages.join(' '), () => {
    say(`installing ${pythonPackages.join(' and ')} …`);
    runCommand(python312(), ['-m', 'venv', join(peersFolder, 'venv')]);
    runCommand(peerPython, ['-m', 'pip', 'install', '--quiet', ...pythonPackages]);
  });
  const { group, artifact, version } = graphHopper;
  once('graphhopper', version, () => {
    say(`installing ${artifact} ${version} …`);
    mkdirSync(graphHopperLibraries, { recursive: true });
    const pom = join(peersFolder, 'graphhopper', 'pom.xml');
    writeFileSync(
      pom,
      `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>meridian</groupId><artifactId>peers</artifactId><version>1</version><dependencies><dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency></dependencies></project>\n`,
    );
    const target = `-DoutputDirectory=${graphHopperLibraries}`;
    runCommand('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', target]);
  });
  const source = peerSource('GraphHopperPeer.java');
  once('graphhopper-peer', readFileSync(source, 'utf8'), () => {
    runCommand('javac', ['-cp', join(graphHopperLibraries, '*'), '-d', graphHopperClasses, source]);
  });
}

/** Does the work unless a file records that it was done for the same pins. */
function once(name: string, pins: string, work: () => void): void {
  const note = join(peersFolder, `${name}.done`);
  if (existsSync(note) && readFileSync(note, 'utf8') === pins) return;
  work();
  writeFileSync(note, pins);
}

/** Both Python packages contain binaries for 3.12. */
function python312(): string {
  const versions = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions');
  const ofPyenv = existsSync(versions)
    ? readdirSync(versions).map((version) => join(versions, version, 'bin', 'python3.12'))
    : [];
  const candidates = [process.env['PYTHON'], 'python3.12', 'python3', ...ofPyenv];
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const { stdout } = spawnSync(candidate, ['--version'], { encoding: 'utf8' });
    if (stdout?.startsWith('Python 3.12')) return candidate;
  }
  throw new Missing('Python 3.12 is needed for OSRM and Valhalla; install it, or say where it is: PYTHON=….');
}
