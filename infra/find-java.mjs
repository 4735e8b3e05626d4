import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Fault } from './fault.mjs';

let found;

/** The path of a Java that runs all three Java servers. Cassandra 5 needs 17 and uses what 24 removed. */
export function findJava() {
  found ??= find();
  return found;
}

async function find() {
  const file = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin/java') : 'java';
  const advice =
    'Install Java 17 (Debian: apt-get install openjdk-17-jre-headless) or point JAVA_HOME at one.';
  const answer = await promisify(execFile)(file, ['-version']).catch(() => {
    throw new Fault(`${file} is not installed. ${advice}`);
  });
  const major = Number(/version "(\d+)/.exec(answer.stderr)?.[1]);
  if (!(major >= 17 && major < 24))
    throw new Fault(`${file} is Java ${major || 'of an unknown version'}. ${advice}`);
  return file;
}
