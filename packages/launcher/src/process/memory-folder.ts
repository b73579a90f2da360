import { mkdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** A file system in memory, on Linux. In a container it is often small. */
const memory = '/dev/shm'

/** Creates this user's folder of a name in memory, unless there is less room than needed. */
export async function memoryFolder(name: string, neededBytes: number): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(memory)
    if (bavail * bsize < neededBytes) return undefined
    const uid = process.getuid?.()
    const folder = join(memory, `tidings-${name}-${uid}`)
    await mkdir(folder, { recursive: true })
    // Another user's folder under a world-writable one can't be trusted.
    return (await stat(folder)).uid === uid ? folder : undefined
  } catch {
    return undefined
  }
}
