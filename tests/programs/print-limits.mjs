// Stands in for the program behind the entry point of the image: prints what it is started with.
import { readFileSync } from 'node:fs';

console.log(`arguments: ${process.argv.slice(2).join(' ')}`);
console.log(readFileSync('/proc/self/limits', 'utf8'));
