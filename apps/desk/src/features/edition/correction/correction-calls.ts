import { queryOptions } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import type { CorrectionNoteStatus } from '@tidings/contracts/desk/writing/corrections'
import { call } from '#lib/api/call.ts'

/** The members who have a memo in their mail, and those who still wait for it. */
export function reachQuery(id: string) {
  return queryOptions({
    queryKey: ['delivery', 'memo', id],
    async queryFn({ signal }): Promise<CorrectionNoteStatus> {
      return (await call(routes.getCorrectionNote, { params: { id } }, { signal })).data
    },
    retry: false,
  })
}

/** Sends a published correction to the members who got the old text; to each of them once. */
export async function sendCorrection(id: string, note: string): Promise<CorrectionNoteStatus> {
  return (await call(routes.sendCorrectionNote, { params: { id }, body: { note } })).data
}

/** Takes a public memo off the site. `version` is the one that readers have. */
export async function withdrawMemo(id: string, version: number): Promise<void> {
  await call(routes.deleteMemo, { params: { id } }, { ifMatch: version })
}

/** Returns `1 member` or `5,061 members`. */
export function membersText(count: number): string {
  return count === 1 ? '1 member' : `${count.toLocaleString('en-US')} members`
}
