import { workingCopy } from '@tidings/contracts/desk/memo-text'
import type { TestDesk } from '../desk.ts'
import { createTextWriter } from './text-writer.ts'

/** Calls of one memo's working copy. */
export function writerOf(desk: TestDesk, id: string) {
  return createTextWriter(desk, `/memos/${id}`, workingCopy)
}

/** Makes a published edition. Returns its key and the id of its only memo. */
export async function publishedMemo(desk: TestDesk): Promise<{ key: string; id: string }> {
  const { key, ids } = await desk.newDraft(['Before'])
  await desk.publish(key)
  return { key, id: String(ids[0]) }
}
