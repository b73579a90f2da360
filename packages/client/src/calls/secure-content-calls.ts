import * as routes from '@tidings/contracts/membership/routes'
import type { Send } from './request.ts'

export function createSecureContentCalls({ send }: { send: Send }) {
  return {
    /** Returns the content of an id, with its type. */
    getSecureContent({ contentId }: { contentId: string }) {
      return send(routes.readSecureContent, { body: { contentId } })
    },
  }
}
