import type { secureContentReply } from '@tidings/contracts/secure-content'
import type { DataOf, Reply } from './replies.ts'
import type { Send } from './request.ts'

/** The call that opens content to members who may see it. */
export function createSecureContentCalls({ send }: { send: Send }) {
  return {
    /** What stands under a content id, with its kind. */
    getSecureContent({
      contentId,
    }: {
      contentId: string
    }): Promise<Reply<DataOf<typeof secureContentReply>>> {
      return send('POST', '/secure-content', { body: { contentId } })
    },
  }
}
