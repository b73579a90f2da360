import type { MediaService } from '#features/media/index.ts'
import type { UploadedFile } from '#integrations/storage/upload-spool.ts'
import type { ChangeService } from '../changes/changes.service.ts'
import { type DeskReply, replyWith } from '../desk-reply.ts'
import { requireScope } from '../requests/editor.ts'
import type { Requester } from '../requests/register-desk.ts'

type Deps = { changes: ChangeService; media: MediaService }

export type MediaDesk = ReturnType<typeof createMediaDesk>

/** Lets editors upload pictures. */
export function createMediaDesk({ changes, media }: Deps) {
  return {
    /** Encodes and stores an upload. Returns the file name for memos and articles. */
    async upload(requester: Requester, upload: UploadedFile): Promise<DeskReply> {
      requireScope(requester.editor, 'write')
      const earlier = await changes.findReply(requester)
      if (earlier !== null) return earlier
      // Encoding takes a second, so it runs before the transaction. If that fails, the next upload finds the same name.
      const picture = await media.prepare(upload, 'editorial')
      return await changes.run(requester, async (_tx, audit) => {
        const { file, width, height, bytes: size } = picture
        await audit('media.upload', file, { width, height, bytes: size })
        return replyWith({ media: file, width, height, bytes: size }, 201)
      })
    },
  }
}
