import { workingCopy } from '@tidings/contracts/desk/memo-text'
import { textVersionSummary } from '@tidings/contracts/desk/writing/versions'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import type { TestDesk } from '../desk.ts'

/** Calls of one memo's working copy. */
export function writerOf(desk: TestDesk, id: string) {
  const path = `/memos/${id}/working-copy`
  return {
    save: (version: number, body: object, options: object = {}) =>
      desk.call('PUT', path, { body, ifMatch: `"${version}"`, ...options }),
    publish: (version: number, body?: object) =>
      desk.call('POST', `${path}/publish`, { body, ifMatch: `"${version}"` }),
    discard: (version: number) => desk.call('DELETE', path, { ifMatch: `"${version}"` }),
    read: async () => dataOf(workingCopy).parse((await desk.call('GET', path)).json()).data,
    versions: async () =>
      pageOf(textVersionSummary).parse((await desk.call('GET', `/memos/${id}/versions`)).json()).data,
  }
}

/** Makes a published edition. Returns its key and the id of its only memo. */
export async function publishedMemo(desk: TestDesk): Promise<{ key: string; id: string }> {
  const { key, ids } = await desk.newDraft(['Before'])
  await desk.publish(key)
  return { key, id: String(ids[0]) }
}
