import { idOf, keyOf } from '#features/editions/index.ts'
import type { DeliveryContent } from '../delivery-email.ts'
import type { SignedLinks } from '../links/signed-links.ts'
import type { EmailContent } from './edition-content.ts'

/** Converts rows to what an email shows, with signed addresses for the pictures. */
export function toEmailContent(
  { kind, date, editions }: DeliveryContent,
  { linkTo }: Pick<SignedLinks, 'linkTo'>,
): EmailContent {
  return {
    kind,
    date,
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
