import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longFiles = `${import.meta.dirname}/`

/**
 * Orders the files of a run: first those of this folder, which start and kill processes and mostly wait. At the end of the
 * run they would leave a core idle.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => moduleId.startsWith(longFiles)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
