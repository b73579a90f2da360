import { cpus, totalmem } from 'node:os'

/** The machine and the Node that a run's figures belong to. */
export function describeMachine(): string {
  const processors = cpus()
  const model = processors[0]?.model.trim() || process.arch
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${processors.length} cores (${model}), ${memory}, ${process.platform}, Node ${process.versions.node}`
}
