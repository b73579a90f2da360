import { describe, expect, it } from 'vitest'
import { describeCalls } from '../testing/describe-calls.ts'
import { refused, reply, respondWith } from '../testing/fake-api.ts'
import { loggedInClient } from '../testing/test-client.ts'
import { wireApp, wireMember, wirePlan } from '../testing/wire-samples.ts'
import { createAppCalls } from './app-calls.ts'

describeCalls(
  createAppCalls,
  {
    getApp: { act: (client) => client.getApp(), line: 'GET /app', data: wireApp() },
    'getApp with the sign-on texts': {
      act: (client) => client.getApp({ includeSSOText: true }),
      line: 'GET /app?includeSSOText=true',
      data: wireApp(),
    },
    getAppAndMember: {
      act: (client) => client.getAppAndMember({ trackPageView: true }),
      line: 'POST /app-member',
      body: { data: { trackPageView: true, sessionData: {} } },
      data: { app: wireApp(), member: wireMember(), sessionData: { sessionId: 'visit-1' } },
    },
    getPlan: {
      act: (client) => client.getPlan({ planId: 'pln_free' }),
      line: 'GET /app/plans/pln_free',
      data: wirePlan,
    },
  },
  ['getPlans'],
)

describe('getPlans', () => {
  it('returns the plans of the app', async () => {
    const client = await loggedInClient()
    const calls = respondWith(reply(wireApp()))
    expect(await client.getPlans()).toEqual({ data: [wirePlan] })
    expect(calls.map(({ line }) => line)).toEqual(['GET /app'])
  })

  it('rejects with the server’s error', async () => {
    const client = await loggedInClient()
    respondWith(refused(404, 'app-not-found', 'There is no such app.'))
    await expect(client.getPlans()).rejects.toMatchObject({ code: 'app-not-found', status: 404 })
  })
})
