import type { Plan, planReply } from '@tidings/contracts/plans'
import type { appMemberReply, appReply } from '@tidings/contracts/widget-config'
import type { DataOf, Reply } from './replies.ts'
import type { Send } from './request.ts'
import type { SessionStore } from './session-store.ts'

type App = DataOf<typeof appReply>
type AppAndMember = DataOf<typeof appMemberReply>
type AppParams = {
  /** Whether the texts of the single sign-on are wanted too. */
  includeSSOText?: boolean
}

/** The calls about the app: its configuration and its plans. */
export function createAppCalls({ send, session }: { send: Send; session: SessionStore }) {
  function getApp({ includeSSOText }: AppParams = {}): Promise<Reply<App>> {
    return send('GET', '/app', { query: { includeSSOText: includeSSOText || undefined } })
  }

  return {
    /** The app's configuration. */
    getApp,

    /** The app's configuration and the member, null for a visitor, in one call. Takes part in the visit's count. */
    async getAppAndMember(
      params: AppParams & { trackPageView?: boolean } = {},
    ): Promise<Reply<AppAndMember>> {
      const begun = session.begin()
      const sessionData = { sessionId: session.visit() ?? undefined }
      const body = { data: { ...params, sessionData } }
      const reply = await send<AppAndMember>('POST', '/app-member', { body })
      if (session.seen(reply.data.member, begun)) session.rememberVisit(reply.data.sessionData.sessionId)
      return reply
    },

    /** One plan with its prices. */
    getPlan({ planId }: { planId: string }): Promise<Reply<DataOf<typeof planReply>>> {
      return send('GET', '/app/plans/:planId', { params: { planId } })
    },

    /** All plans that the app offers. */
    async getPlans(): Promise<Reply<Plan[]>> {
      const { data } = await getApp()
      return { data: data.plans }
    },
  }
}
