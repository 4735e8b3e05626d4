// Writes ascending numbers without flushing them, and prints each when it is committed: what must not be.
import { open } from 'lmdb';

const environment = open({ path: process.argv[2], noSync: true });
for (let n = 1; ; n += 1) {
  await environment.put(n, n);
  console.log(n);
}
