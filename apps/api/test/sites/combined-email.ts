import { rm } from 'node:fs/promises'
import path from 'node:path'
import { deliveryTest } from './delivery-site.ts'

/** The custom fields of members who get memos and PDFs by email. */
export const memosAndPdfs = { getmemomethodbyemail: true, getPDFMethodByEmail: true }

/** Returns the `it` of a file about emails that carry memos and a PDF. Each test makes its PDFs anew. */
export function combinedEmailTest() {
  const it = deliveryTest({ env: { UNCONFIRMED_AS: 'send-again', UNCONFIRMED_AFTER_HOURS: '2' } })
    /** Returns the states of a member's memos and PDF, each with its reason. */
    .extend('statesOf', { scope: 'file' }, ({ delivery: { db } }) => async (memberId: string) => {
      const rows = await db.delivery.findMany({ where: { memberId }, orderBy: { method: 'asc' } })
      return rows.map(({ state, reason }) => [state, reason].filter(Boolean).join(' '))
    })
    /** Returns the ids of a member's memos and PDF, and with whose message the PDF went. */
    .extend('idsOf', { scope: 'file' }, ({ delivery: { db } }) => async (memberId: string) => {
      const [memos, pdf] = await db.delivery.findMany({ where: { memberId }, orderBy: { method: 'asc' } })
      return { memos: memos?.id ?? '', pdf: pdf?.id ?? '', sentWith: pdf?.sentWith }
    })
    .extend(
      'choose',
      { scope: 'file' },
      ({ delivery: { db } }) =>
        async (memberId: string, fields: object) => {
          await db.member.update({ where: { id: memberId }, data: { customFields: { ...fields } } })
        },
    )
    .extend('pdfFolder', { scope: 'file' }, ({ delivery }) =>
      path.join(delivery.site.context.config.dataDir, 'pdf'),
    )
  it.beforeEach(({ pdfFolder }) => rm(pdfFolder, { recursive: true, force: true, maxRetries: 10 }))
  return it
}
