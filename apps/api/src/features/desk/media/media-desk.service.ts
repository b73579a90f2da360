import type { MediaService } from '#features/media/index.ts'
import type { ChangeService } from '../changes/changes.service.ts'
import { type DeskReply, replyWith } from '../desk-reply.ts'
import { type Requester, requireScope } from '../requests/register-desk.ts'

type Deps = { changes: ChangeService; media: MediaService }

export type MediaDesk = ReturnType<typeof createMediaDesk>

/** Lets editors upload pictures. */
export function createMediaDesk({ changes, media }: Deps) {
  return {
    /** Encodes and stores an upload. Returns the file name for memos and articles. */
    async upload(requester: Requester, bytes: Uint8Array): Promise<DeskReply> {
      requireScope(requester.editor, 'write')
      const earlier = await changes.findReply(requester)
      if (earlier !== null) return earlier
      // Encoding takes a second, so it runs before the transaction. An unrecorded picture is deleted again.
      const picture = await media.prepare(bytes, 'editorial')
      let recorded = false
      try {
        return await changes.run(requester, async (tx, audit) => {
          const { file, width, height, bytes: size } = await media.record(tx, picture)
          await audit('media.upload', file, { width, height, bytes: size })
          recorded = true
          return replyWith({ media: file, width, height, bytes: size }, 201)
        })
      } catch (error) {
        recorded = false
        throw error
      } finally {
        // Also when a request with the same key was faster: its picture is the one in the reply.
        if (!recorded) await media.discard(picture)
      }
    },
  }
}
