import { setTimeout as pause } from 'node:timers/promises'
import type { PdfDocument } from '#integrations/pdf/pdf-document.ts'
import type { PdfPictures, PdfRenderer } from '#integrations/pdf/pdf-renderer.ts'
import type { FileStore } from '#integrations/storage/file-store.ts'
import { type Claim, claimFile, findClaim, releaseClaim } from '#platform/claims/claims.repository.ts'
import { fail, hasCode } from '#platform/errors.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { createSerialQueue } from '#platform/serial-queue.ts'

export type PdfMakerDeps = Pick<PlatformDeps, 'database' | 'clock' | 'ids' | 'logger'> & {
  pdfStore: FileStore
  pdfRenderer: PdfRenderer
}

const maxWaiting = 50
// Longer than the 30 seconds that the renderer takes at most.
const claimMs = 35_000
/** How often, and how many times, a request looks for the PDF that another process makes. */
const poll = { ms: 50, attempts: 800 }

/** Creates what makes PDFs. A claim lets one process make each, while the others wait (ADR 88). */
export function createPdfMaker({
  database: { db },
  clock,
  ids,
  pdfStore,
  pdfRenderer,
  logger,
}: PdfMakerDeps) {
  const enqueue = createSerialQueue({ maxWaiting })

  /** Returns a stored PDF. One in a store that is away is made again. */
  async function findStored(name: string): Promise<Buffer | null> {
    return await pdfStore.find(name).catch((error: unknown) => {
      if (!hasCode(error, 'service-unavailable')) throw error
      logger.warn({ err: error }, 'pdf store unavailable')
      return null
    })
  }

  /** Returns a new PDF, which is then stored; null if another process has claimed it. */
  function tryToMake(name: string, document: PdfDocument, pictures: PdfPictures): Promise<Buffer | null> {
    return new Promise((resolve, reject) => {
      const work = enqueue(async () => {
        const claim = { name, token: ids.uuid() }
        const now = clock.now()
        if (!(await claimFile(db, claim, { now, until: new Date(now.getTime() + claimMs) }))) {
          resolve(null)
          return
        }
        try {
          // Another process may have stored it just before the claim.
          const stored = await findStored(name)
          const pdf = stored ?? (await pdfRenderer.render(document, pictures))
          resolve(pdf)
          if (stored === null) await keep(claim, pdf)
        } finally {
          await release(claim)
        }
      })
      work.catch(reject)
    })
  }

  /** Stores a PDF, unless the claim has passed to another process. Readers have it even if the disk is full. */
  async function keep(claim: Claim, pdf: Buffer): Promise<void> {
    try {
      const holder = await findClaim(db, claim.name)
      if (holder?.token === claim.token) await pdfStore.save(claim.name, pdf)
    } catch (error) {
      logger.warn({ err: error }, 'pdf storage failed')
    }
  }

  /** Ends a claim. One that can't be ended expires. */
  async function release(claim: Claim): Promise<void> {
    await releaseClaim(db, claim).catch((error: unknown) => {
      logger.warn({ err: error }, 'pdf claim release failed')
    })
  }

  /** Returns the stored PDF or a new one. Waits while another process makes it, and makes it if that one fails. */
  return async function make(name: string, document: PdfDocument, pictures: PdfPictures): Promise<Buffer> {
    let awaited: string | undefined
    for (let attempt = 0; attempt < poll.attempts; attempt += 1) {
      const stored = await findStored(name)
      if (stored !== null) return stored
      const claim = await findClaim(db, name)
      if (claim === null || claim.claimedUntil <= clock.now()) {
        const pdf = await tryToMake(name, document, pictures)
        if (pdf !== null) return pdf
      } else {
        // Each process that makes it has its own time.
        if (claim.token !== awaited) attempt = 0
        awaited = claim.token
        await pause(poll.ms)
      }
    }
    throw fail('service-unavailable')
  }
}
