import { idOf, keyOf } from '#features/editions/index.ts'
import type { DeliveryContent, DeliveryRecipient } from '../delivery-email.ts'
import type { SignedLinks } from '../links/signed-links.ts'
import type { EmailContent } from './edition-content.ts'

/** Converts rows to what the email of a method shows, or the page behind a text, with signed addresses for the pictures. */
export function toEmailContent(
  { kind, date, editions }: DeliveryContent,
  method: DeliveryRecipient['method'],
  { linkTo }: Pick<SignedLinks, 'linkTo'>,
): EmailContent {
  const isPdf = method === 'pdf_email'
  const [first] = editions
  return {
    kind: isPdf ? 'pdf' : method === 'memo_sms' ? 'text' : kind,
    date,
    printUrl: isPdf && first !== undefined ? linkTo('pdf', `${keyOf(idOf(first.edition))}~a4`) : null,
    editions: editions.map(({ edition, memos }) => {
      const id = idOf(edition)
      return {
        slot: id.slot,
        memos: memos.map((memo) => ({
          ...memo,
          pictureUrl: memo.mediaFile === null ? null : linkTo('picture', `${keyOf(id)}~${memo.mediaFile}`),
        })),
      }
    }),
  }
}
