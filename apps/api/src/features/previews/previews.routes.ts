import {
  getDraftPicture,
  previewArticle,
  previewDigest,
  previewEmail,
  previewPdf,
  previewPhone,
  previewSms,
} from '@tidings/contracts/desk/writing/previews'
import { unsavedBodyLimit as bodyLimit } from '#features/delivery/index.ts'
import { registerDesk } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import type { PreviewService } from './previews.service.ts'

/** Registers the previews of unsaved text. */
export function registerPreviews(app: App, { previews }: { previews: PreviewService }): void {
  registerDesk(app, previewPhone, ({ body }) => previews.phone(body), { bodyLimit })
  registerDesk(app, previewEmail, ({ body }) => previews.email(body), { bodyLimit })
  registerDesk(app, previewSms, ({ body }) => previews.sms(body), { bodyLimit })
  registerDesk(app, previewPdf, ({ body }) => previews.pdf(body, body.format), { bodyLimit })
  registerDesk(app, previewDigest, ({ body }) => previews.digest(body), { bodyLimit })
  registerDesk(app, previewArticle, ({ body }) => previews.article(body), { bodyLimit })
  registerDesk(app, getDraftPicture, ({ params }) => previews.picture(params.file))
}
