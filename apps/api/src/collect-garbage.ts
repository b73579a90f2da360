import { Session } from 'node:inspector/promises'

/** Returns to the system the memory that starting took: V8 itself waits for the next requests. */
export async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
