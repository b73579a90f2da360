import type { MediaService } from '#features/media/index.ts'
import type { Asker, Changes, DeskReply } from '../changes/changes.service.ts'
import { requireScope } from '../keys/editor-keys.service.ts'

type Deps = { changes: Changes; media: MediaService }

export type MediaDesk = {
  /** Re-encodes and keeps an upload; answers the file name to use. */
  upload(asker: Asker, bytes: Uint8Array): Promise<DeskReply>
}

export function createMediaDesk({ changes, media }: Deps): MediaDesk {
  return {
    async upload(asker, bytes) {
      requireScope(asker.editor, 'write')
      const earlier = await changes.findReply(asker)
      if (earlier !== null) return earlier
      // Encoding takes a second, so it happens before the transaction; what is not recorded is taken away again.
      const picture = await media.prepare(bytes, 'editorial')
      let recorded = false
      try {
        const reply = await changes.make(asker, async (tx, audit) => {
          const { file, width, height, bytes: size } = await media.record(tx, picture)
          await audit('media.upload', file, { width, height, bytes: size })
          recorded = true
          return { status: 201, body: { data: { media: file, width, height, bytes: size } }, etag: null }
        })
        // The same key was answered meanwhile: the other upload's picture is the one that counts.
        if (!recorded) await media.discard(picture)
        return reply
      } catch (error) {
        await media.discard(picture)
        throw error
      }
    },
  }
}
