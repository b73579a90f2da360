import { z } from 'zod'
import { limits } from '../limits.ts'
import { editionSubject, html, note } from './fields.ts'
import { memoDraft } from './memos.ts'

/** The fields that may be empty, or half typed, in a text that is being written. */
export const unfinished = {
  title: z.string().max(limits.titleCharacters).default(''),
  memo_content: html.default(''),
}

/** A memo as it stands in the editor. Any field may be missing. */
const unsavedMemo = memoDraft.omit({ position: true }).extend({
  ...unfinished,
  id: z.uuid("must be a memo's id").optional().describe('Absent for a memo that was never saved'),
  source: z.string().max(limits.sourceCharacters).default(''),
  note: note
    .default('')
    .describe('The note of a correction that is not published yet; without it, the one that readers have'),
})
export type UnsavedMemo = z.infer<typeof unsavedMemo>

export const unsavedMemos = z.array(unsavedMemo).min(1).max(limits.memosPerEdition).describe('In their order')

export const unsavedSubject = editionSubject
  .optional()
  .describe('Subject of its email as it stands in the editor; without it, the stored one')

/** An edition with its memos as they stand in the editor. */
export const unsavedEdition = z.strictObject({
  edition: z.string().describe('Edition key, of an edition in any status'),
  memos: unsavedMemos,
  subject: unsavedSubject,
})
export type UnsavedEdition = z.infer<typeof unsavedEdition>

export const unsavedOfDay = unsavedEdition
  .optional()
  .describe('Replaces the stored memos of one edition of the day')
