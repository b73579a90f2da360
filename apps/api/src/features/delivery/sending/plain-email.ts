import { formatWireDate } from '@tidings/contracts/edition-key'
import { plainText } from '#platform/html.ts'
import type { PrepareDeliveryEmail } from '../delivery-email.ts'

/** Prepares an email of plain text. */
export const preparePlainEmail: PrepareDeliveryEmail = async ({ date, editions }) => {
  const memos = editions.flatMap((each) => each.memos)
  const text = memos.map(({ title, content }) => `${title}\n${plainText(content)}`).join('\n\n')
  const subject = `${formatWireDate(date)}: ${memos[0]?.title ?? ''}`
  return () => ({ subject, text, html: '', headers: {}, envelopeFrom: null })
}
