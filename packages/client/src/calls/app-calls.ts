import type { Plan, planReply } from '@tidings/contracts/membership/plans'
import type { appMemberReply, appReply } from '@tidings/contracts/membership/widget-config'
import type { SessionStore } from '../session/session-store.ts'
import type { DataOf, Reply } from '../wire/replies.ts'
import type { Send } from './request.ts'

type App = DataOf<typeof appReply>
type AppAndMember = DataOf<typeof appMemberReply>
type AppParams = {
  /** Whether to include the texts of single sign-on. */
  includeSSOText?: boolean
}

export function createAppCalls({ send, session }: { send: Send; session: SessionStore }) {
  function getApp({ includeSSOText }: AppParams = {}): Promise<Reply<App>> {
    return send('GET', '/app', { query: { includeSSOText: includeSSOText || undefined } })
  }

  return {
    /** Returns the app's configuration. */
    getApp,

    /** Returns the app's configuration and the member, null for a visitor. The server counts it in the visit. */
    async getAppAndMember(
      params: AppParams & { trackPageView?: boolean } = {},
    ): Promise<Reply<AppAndMember>> {
      const start = session.begin()
      const sessionData = { sessionId: session.visit() ?? undefined }
      const body = { data: { ...params, sessionData } }
      const reply = await send<AppAndMember>('POST', '/app-member', { body })
      if (session.seen(reply.data.member, start)) session.rememberVisit(reply.data.sessionData.sessionId)
      return reply
    },

    /** Returns a plan with its prices. */
    getPlan({ planId }: { planId: string }): Promise<Reply<DataOf<typeof planReply>>> {
      return send('GET', '/app/plans/:planId', { params: { planId } })
    },

    /** Returns all plans of the app. */
    async getPlans(): Promise<Reply<Plan[]>> {
      const { data } = await getApp()
      return { data: data.plans }
    },
  }
}
