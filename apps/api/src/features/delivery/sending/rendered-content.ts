import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { readContent } from '../content/edition-content.ts'
import type { DeliveryContent, DeliveryRecipient, MessageParts } from '../delivery-email.ts'
import type { StartedDelivery } from '../ledger/deliveries.repository.ts'
import {
  findRunById,
  getContentVersion,
  type RunRow,
  updateRun,
  withdrawnChange,
} from '../ledger/runs.repository.ts'
import { isPdfMethod, sharedEmail } from '../methods.ts'
import type { HandOver, Transport } from '../transports.ts'

type Deps = Pick<PlatformDeps, 'database' | 'logger'> & {
  transport: Transport
  method: DeliveryRecipient['method']
  run: RunRow
}

/** The renditions of a content: without a PDF, with one of these pages, or without the one that could not be made. */
export type Rendition = 'no-pdf' | PdfFormat | 'failed-pdf'

/** The content that is sent now, with its renditions so far, and the pages that memos can't carry. */
export type RenderedContent = {
  version: string
  content: DeliveryContent
  handOvers: Map<Rendition, HandOver>
  unrendered: PdfFormat[]
}

/** Renders what is to be sent now. Returns null if it is the same as before, or if nothing is to be sent. */
export async function renderContent(
  deps: Deps,
  before: RenderedContent | null,
): Promise<RenderedContent | null> {
  const { db } = deps.database
  const run = await findRunById(db, deps.run.id)
  if (run?.state !== 'sending') return null
  // The version first: a change in between makes the ledger refuse, and this runs again.
  const version = await getContentVersion(db, run.id)
  if (version === before?.version) return null
  const content = await readContent(db, run)
  if (content === null) {
    await updateRun(db, run.id, withdrawnChange)
    return null
  }
  const rendered: RenderedContent = { version, content, handOvers: new Map(), unrendered: [] }
  if (!isPdfMethod(deps.method)) await addRendition(deps, rendered, 'no-pdf')
  return rendered
}

/** Renders a rendition. If its PDF fails, members wait for it who get nothing else; memos go without it. */
export async function addRendition(
  deps: Deps,
  { content, handOvers, unrendered }: RenderedContent,
  rendition: Rendition,
): Promise<void> {
  const { transport, method, run } = deps
  const parts = partsOf(method, rendition)
  try {
    handOvers.set(rendition, await transport.prepare(content, parts, run))
  } catch (error) {
    if (parts.pdf === null || isDatabaseUnavailable(error)) throw error
    deps.logger.warn({ err: error, runId: run.id, pages: parts.pdf }, 'pdf rendering failed')
    if (isPdfMethod(method)) handOvers.set(rendition, handOverNone)
    else {
      unrendered.push(parts.pdf)
      handOvers.set('failed-pdf', await transport.prepare(content, partsOf(method, 'failed-pdf'), run))
    }
  }
}

/** Returns a rendition that members get and that isn't rendered yet. */
export function missingRendition(
  method: Deps['method'],
  { handOvers }: RenderedContent,
  started: readonly StartedDelivery[],
): Rendition | null {
  const missing = started.find((row) => row.state === 'sending' && !handOvers.has(renditionOf(method, row)))
  return missing === undefined ? null : renditionOf(method, missing)
}

/** Returns the rendition of a member. */
export function renditionOf(
  method: DeliveryRecipient['method'],
  { pdf, pdfFormat }: Pick<StartedDelivery, 'pdf' | 'pdfFormat'>,
): Rendition {
  if (isPdfMethod(method)) return pdfFormat
  if (pdf === null) return 'no-pdf'
  return pdf.state === 'failed' ? 'failed-pdf' : pdfFormat
}

/** Returns the parts of a rendition's messages. */
function partsOf(method: DeliveryRecipient['method'], rendition: Rendition): MessageParts {
  const pdf = rendition === 'no-pdf' || rendition === 'failed-pdf' ? null : rendition
  const isAlone = rendition === 'no-pdf' || isPdfMethod(method)
  return { methods: isAlone ? [method] : [method, sharedEmail.pdf], pdf }
}

/** Returns the deliveries that one message carries, for the log of what is sent. */
export function messagesOf(row: StartedDelivery, method: DeliveryRecipient['method']) {
  const { id, state, attempts, memberId, pdf } = row
  const own = { id, state, attempts, memberId, method }
  const all = pdf === null ? [own] : [own, { ...pdf, memberId, method: sharedEmail.pdf }]
  return all.filter((each) => each.state === 'sending').map((each) => ({ ...each, message: id }))
}

/** Hands over nothing, because the PDF can't be made now. */
export const handOverNone: HandOver = async () => ({
  outcome: 'temporary',
  code: 'render',
  response: 'The PDF could not be rendered.',
})
