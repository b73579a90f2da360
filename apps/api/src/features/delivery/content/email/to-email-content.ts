import type { DeliveryContent, MessageParts } from '#features/delivery/delivery-email.ts'
import type { SignedLinks } from '#features/delivery/links/signed-links.ts'
import { isPdfMethod, isTextMethod } from '#features/delivery/methods.ts'
import { idOf, keyOf } from '#features/editions/index.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { EmailContent } from '../edition-content.ts'

/** Converts rows to the content of an email or a web view of these methods, with signed addresses for the pictures. */
export function toEmailContent(
  { kind, date, editions }: DeliveryContent,
  { methods, attached }: { methods: MessageParts['methods']; attached: PdfFormat | null },
  { linkTo }: Pick<SignedLinks, 'linkTo'>,
): EmailContent {
  const [first] = editions
  const other = attached === 'phone' ? 'a4' : 'phone'
  return {
    kind: kindOf(methods) ?? kind,
    date,
    pdf:
      attached === null || first === undefined
        ? null
        : { format: attached, otherUrl: linkTo('pdf', `${keyOf(idOf(first.edition))}~${other}`) },
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

function kindOf([first, ...others]: MessageParts['methods']): EmailContent['kind'] | null {
  if (others.length > 0) return 'memo-and-pdf'
  if (isTextMethod(first)) return 'text'
  return isPdfMethod(first) ? 'pdf' : null
}
