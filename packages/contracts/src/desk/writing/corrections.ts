import { z } from 'zod'
import { dataOf } from '../../envelope.ts'
import { describedError } from '../../errors.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import * as routes from '../routes.ts'

const correctionNoteStatus = z.object({
  memo: z.uuid(),
  correctedAt: z.iso
    .datetime()
    .nullable()
    .describe('When readers last got another text; null if they never did'),
  gotOldText: z
    .int()
    .describe('Members who got the old text by email. What texts and notifications link to has the new one'),
  gotText: z
    .int()
    .nullable()
    .describe(
      'Members who got the memo by email, in any text: those whose text a correction now makes old. Null once its deliveries are archived',
    ),
  waiting: z.int().describe('Members whose email is still to be sent, with the new text in any case'),
  note: z
    .object({
      text: z.string(),
      askedAt: z.iso.datetime(),
      sent: z.int(),
      waiting: z.int(),
      unconfirmed: z.int(),
      notDelivered: z.int(),
    })
    .nullable()
    .describe('What was sent about this correction; null if nothing was'),
})
export type CorrectionNoteStatus = z.infer<typeof correctionNoteStatus>

const shared = {
  tag: 'Desk: deliveries',
  params: z.object({ id: z.uuid("must be a memo's id") }),
  reply: dataOf(correctionNoteStatus),
} as const

export const getCorrectionNote = deskEndpoint(routes.getCorrectionNote, {
  ...shared,
  summary: 'Tells how many members got the old text of a corrected memo',
  scope: 'read',
})

export const sendCorrectionNote = deskEndpoint(routes.sendCorrectionNote, {
  ...shared,
  summary: 'Sends the corrected memo to the members who got the old text',
  description:
    'With a note, by email, once for each member and correction, however often it is asked for. Nothing is sent without this call.',
  scope: 'publish',
  body: z.strictObject({ note: z.string().trim().max(1_000).default('').describe('May be empty') }),
  errors: { 409: describedError('It was not corrected, or no member got the old text') },
})

const editionReach = z.object({
  mailboxes: z
    .int()
    .nullable()
    .describe(
      'Members who got it by email, as PDF or in a digest, which withdrawing doesn’t take back; null once its deliveries are archived',
    ),
})
export type EditionReach = z.infer<typeof editionReach>

export const getEditionReach = deskEndpoint(routes.getEditionReach, {
  tag: shared.tag,
  summary: 'Tells how many members have an edition in their mail',
  scope: 'read',
  params: z.object({ key: z.string().describe('MM-DD-YY-slot') }),
  reply: dataOf(editionReach),
})
