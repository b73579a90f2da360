import * as routes from '@tidings/contracts/desk/routes'
import type { UnsavedEdition } from '@tidings/contracts/desk/unsaved'
import { call } from '#lib/api/call.ts'

export type PdfFormat = 'phone' | 'a4'

/** Renders an email. The page at its address works for ten minutes. */
export async function renderEmail(unsaved: UnsavedEdition, signal: AbortSignal) {
  return (await call(routes.previewEmail, { body: unsaved }, { signal })).data
}

/** Renders the digest of a day with its drafts. */
export async function renderDigest(date: string, unsaved: UnsavedEdition, signal: AbortSignal) {
  return (await call(routes.previewDigest, { body: { date, unsaved } }, { signal })).data
}

/** Renders a text message, with its parts and price. */
export async function renderText(unsaved: UnsavedEdition, signal: AbortSignal) {
  return (await call(routes.previewSms, { body: unsaved }, { signal })).data
}

/** Renders a PDF. The file at its address works for ten minutes. */
export async function renderPdf(unsaved: UnsavedEdition, format: PdfFormat, signal: AbortSignal) {
  return (await call(routes.previewPdf, { body: { ...unsaved, format } }, { signal })).data
}
