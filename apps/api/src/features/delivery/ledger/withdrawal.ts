import type { Db } from '#platform/database.ts'
import { withdrawnTexts } from '../delivery.errors.ts'
import { getContentVersion, type RunRow } from './runs.repository.ts'

const minuteMs = 60_000

/** Returns whether nothing of a run's content is published. */
export async function isWithdrawn(db: Db, { id }: Pick<RunRow, 'id'>): Promise<boolean> {
  return (await getContentVersion(db, id)) === ''
}

/** The change that holds a run which was withdrawn while it was sent. */
export const withdrawnChange = {
  state: 'held',
  heldReason: 'It was withdrawn while it was sent. Publish it again and resume to send the rest.',
} as const

/** Returns the change that holds a late run. */
export function lateChange(lateMs: number): { state: 'held'; heldReason: string } {
  const minutes = Math.floor(lateMs / minuteMs)
  return { state: 'held', heldReason: `It missed its time by ${minutes} minutes. Resume it to send it.` }
}

export function subjectKindOf({ editionId }: Pick<RunRow, 'editionId'>): keyof typeof withdrawnTexts {
  return editionId === null ? 'digest' : 'edition'
}

/** Returns the message that tells editors that the edition or digest is withdrawn. */
export function withdrawnText(run: Pick<RunRow, 'editionId'>): string {
  return withdrawnTexts[subjectKindOf(run)]
}
