import { join } from 'node:path';
import ts from 'typescript';

/** Where the build puts a module. */
export const compiledFileOf = (root, file) => join(root, 'dist', file.replace(/\.tsx?$/, '.js'));

/** @returns {string} the module as the build writes it; types are not checked */
export function compileModule(source) {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}
