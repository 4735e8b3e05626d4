import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longest } from './selection.js';

/** Vitest's order of the files of a group, except that `longest` start first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const groupOf = (file: TestSpecification) => file.project.config.sequence.groupOrder;
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.indexOf(relative(root, moduleId).replaceAll('\\', '/'));
      return rank === -1 ? longest.length : rank;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b));
  }
}
