import { cpus, totalmem } from 'node:os'
import { readersComeFirst } from './load/paced-readers.ts'

/** Describes the machine, the version of Node and how readers run. */
export function describeMachine(): string {
  const processors = cpus()
  const model = processors[0]?.model.trim() || process.arch
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const readers = readersComeFirst() ? 'readers in the real-time class' : 'readers wait for the same cores'
  return `${processors.length} cores (${model}), ${memory}, ${process.platform}, Node ${process.versions.node}; ${readers}`
}
