import { z } from 'zod'
import { altText, focus } from './fields.ts'

/** The fields of a memo that people write, as they are stored. */
export const memoText = z.object({
  title: z.string(),
  memo_content: z.string(),
  source: z.string(),
  media: z.string(),
  media_title: z.string(),
  media_alt: altText,
  media_focus: focus,
  media_text: z.string(),
  language: z.string(),
})
export type MemoText = z.infer<typeof memoText>

/** A memo as people write it: with the changes that readers of a published edition don't have yet. */
export const workingCopy = memoText.extend({
  id: z.string(),
  edition: z.string().describe('Edition key'),
  place: z.int().describe('Place among all memos of the edition, from 1'),
  ready: z.boolean(),
  isPublic: z.boolean().describe('Whether readers have this memo, in this or an earlier state'),
  changed: z.array(z.string()).describe('The fields that readers have in an earlier state'),
  version: z.int().describe('What a save is based on'),
  savedBy: z.string().describe('The name of the person or key that saved it last; empty if unknown'),
  savedAt: z.iso.datetime(),
})
export type WorkingCopy = z.infer<typeof workingCopy>
