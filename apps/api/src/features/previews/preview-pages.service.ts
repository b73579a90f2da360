import { previewPagePath } from '@tidings/contracts/paths'
import { sha256 } from '#platform/ids.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { createPage, findPage, type PreviewPageRow, removeExpired } from './preview-pages.repository.ts'
import { fail } from './previews.errors.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'ids'> & { siteUrl: URL }

const shownMs = 10 * 60_000

/** The type of a page. */
export type PreviewType = 'text/html; charset=utf-8' | 'application/pdf'

export type PreviewPages = ReturnType<typeof createPreviewPages>

/** Keeps what editors preview at an address that can't be guessed, for ten minutes. */
export function createPreviewPages({ database, clock, ids, siteUrl }: Deps) {
  return {
    async keep(type: PreviewType, content: string | Uint8Array): Promise<{ url: string; expiresAt: string }> {
      const token = ids.secret()
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + shownMs)
      await createPage(database.db, { tokenHash: sha256(token), type, content, expiresAt }, now)
      const { href: url } = new URL(previewPagePath.replace(':token', token), siteUrl.origin)
      return { url, expiresAt: expiresAt.toISOString() }
    },

    /** Throws `preview-ended` for one that has expired or never was. */
    async open(token: string): Promise<PreviewPageRow> {
      const page = await findPage(database.db, sha256(token), clock.now())
      if (page === null) throw fail('preview-ended')
      return page
    },

    async removeOld(): Promise<void> {
      await removeExpired(database.db, clock.now())
    },
  }
}
