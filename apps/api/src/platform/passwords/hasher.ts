import { argon2id, hash, verify } from 'argon2'
import { type HasherResult, type HasherTask, isHasherRequest } from './hasher-messages.ts'

/**
 * The hasher: a program of its own that hashes what its parent sends it, as many at once as its pool has threads.
 * When the channel closes, because the parent let go of it or died, nothing keeps it and it ends.
 */
function main(): void {
  process.on('message', (message) => {
    if (!isHasherRequest(message)) return
    const { id, task } = message
    void work(task).then((result) => process.send?.({ id, result }, () => {}))
  })
  process.on('disconnect', () => process.exit())
  // These reach every process of a group at once; the parent still finishes what it has begun.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
}

/** Null stands for every failure: what a library says of one may quote what it was given. */
async function work(task: HasherTask): Promise<HasherResult> {
  try {
    return task.kind === 'hash' ? await hashOf(task) : await verify(task.hash, task.password)
  } catch {
    return null
  }
}

function hashOf({ password, memoryKiB, passes }: HasherTask & { kind: 'hash' }): Promise<string> {
  return hash(password, { type: argon2id, memoryCost: memoryKiB, timeCost: passes, parallelism: 1 })
}

main()
