import { argon2id, hash, verify } from 'argon2'
import { type HasherResult, type HasherTask, isHasherRequest } from './hasher-messages.ts'

/**
 * Runs the hasher: a child process that hashes what its parent sends, one task per thread. It exits with the channel.
 */
function main(): void {
  process.on('message', (message) => {
    if (!isHasherRequest(message)) return
    const { id, task } = message
    void work(task).then((result) => process.send?.({ id, result }, () => {}))
  })
  process.on('disconnect', () => process.exit())
  // A whole process group receives these; the parent finishes its tasks first.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
}

/** Returns null for every failure, because the library's errors may quote the password. */
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
