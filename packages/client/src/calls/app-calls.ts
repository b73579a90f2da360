import * as routes from '@tidings/contracts/membership/routes'
import type { SessionStore } from '../session/session-store.ts'
import type { Send } from './request.ts'

type AppParams = {
  /** Whether to include the texts of single sign-on. */
  includeSSOText?: boolean
}

export function createAppCalls({ send, session }: { send: Send; session: SessionStore }) {
  function getApp({ includeSSOText }: AppParams = {}) {
    return send(routes.getApp, { query: { includeSSOText: includeSSOText ? 'true' : undefined } })
  }

  return {
    /** Returns the app's configuration. */
    getApp,

    /** Returns the app's configuration and the member, null for a visitor. The server counts it in the visit. */
    async getAppAndMember(params: AppParams & { trackPageView?: boolean } = {}) {
      const start = session.begin()
      const sessionData = { sessionId: session.visit() ?? undefined }
      const reply = await send(routes.openApp, { body: { data: { ...params, sessionData } } })
      if (session.seen(reply.data.member, start)) session.rememberVisit(reply.data.sessionData.sessionId)
      return reply
    },

    /** Returns a plan with its prices. */
    getPlan({ planId }: { planId: string }) {
      return send(routes.getPlan, { params: { planId } })
    },

    /** Returns all plans of the app. */
    async getPlans() {
      const { data } = await getApp()
      return { data: data.plans }
    },
  }
}
