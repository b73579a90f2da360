import type { secureContentReply } from '@tidings/contracts/membership/secure-content'
import type { DataOf, Reply } from '../wire/replies.ts'
import type { Send } from './request.ts'

export function createSecureContentCalls({ send }: { send: Send }) {
  return {
    /** Returns the content of an id, with its type. */
    getSecureContent({
      contentId,
    }: {
      contentId: string
    }): Promise<Reply<DataOf<typeof secureContentReply>>> {
      return send('POST', '/secure-content', { body: { contentId } })
    },
  }
}
