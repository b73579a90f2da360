import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { getMember } from '@tidings/contracts/membership/members'
import { HttpResponse } from 'msw/http'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite, serve } from '#testing/api-handlers.ts'
import { fake } from '#testing/fake.ts'
import { fakeMembership, storeSession } from '#testing/fake-membership.ts'
import { testServices } from '#testing/test-services.ts'
import { createQueryClient } from '../api/query-client.ts'
import { ServicesProvider } from '../services/services.tsx'
import { followSession } from './member-queries.ts'
import { useMember } from './use-member.ts'

function renderMember({ isLoggedIn }: { isLoggedIn: boolean }) {
  const site = fakeSite({
    membership: fakeMembership({ member: wireMember({ customFields: { name: 'Ada' } }) }),
  })
  serve(site)
  if (isLoggedIn) storeSession(site.membership)
  const services = testServices()
  const { memberSession } = services
  const queryClient = createQueryClient(() => undefined)
  followSession(queryClient, memberSession, () => undefined)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ServicesProvider value={services}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </ServicesProvider>
  )
  const { result } = renderHook(() => useMember(), { wrapper })
  return { site, memberSession, queryClient, member: () => result.current.data, query: () => result.current }
}

describe('the member', () => {
  it('is read from the server', async () => {
    const { site, member } = renderMember({ isLoggedIn: true })
    site.membership.member.customFields = { name: 'Countess' }
    await waitFor(() => expect(member()?.customFields).toEqual({ name: 'Countess' }))
  })

  it('of a visitor is not read', () => {
    const { site, member } = renderMember({ isLoggedIn: false })
    expect(member()).toBeUndefined()
    expect(site.calls).toEqual([])
  })

  it('without a connection is the one that was read last', async () => {
    const { member } = renderMember({ isLoggedIn: true })
    apiServer.use(fake(getMember, () => HttpResponse.error()))
    await waitFor(() => expect(member()?.customFields).toEqual({ name: 'Ada' }))
  })

  it('without a connection, and never read, is an error', async () => {
    const { query } = renderMember({ isLoggedIn: true })
    window.localStorage.removeItem('_ms-mem')
    apiServer.use(fake(getMember, () => HttpResponse.error()))
    await waitFor(() => expect(query().error).not.toBeNull(), { timeout: 5000 })
  })

  it('has the changes that the client makes', async () => {
    const { member, memberSession } = renderMember({ isLoggedIn: true })
    await waitFor(() => expect(member()).toBeDefined())
    const client = await memberSession.getClient()
    await client.updateMember({ customFields: { name: 'Countess' } })
    await waitFor(() => expect(member()?.customFields).toEqual({ name: 'Countess' }))
  })

  it('and what else only the member may see is dropped at the end of the session', async () => {
    const { member, memberSession, queryClient } = renderMember({ isLoggedIn: true })
    await waitFor(() => expect(member()).toBeDefined())
    queryClient.setQueryData(['member', 'articles'], ['a title'])
    await memberSession.leave((client) => client.logout())
    await waitFor(() => expect(member()).toBeNull())
    expect(queryClient.getQueryData(['member', 'articles'])).toBeUndefined()
  })

  it('whose address is confirmed in another tab has their deliveries read again', async () => {
    const { member, queryClient } = renderMember({ isLoggedIn: true })
    await waitFor(() => expect(member()).toBeDefined())
    queryClient.setQueryData(['member', 'deliveries'], 'waits for the address')
    const isRead = () => queryClient.getQueryState(['member', 'deliveries'])?.isInvalidated
    const confirmed = JSON.stringify({ ...member(), verified: !member()?.verified })
    window.localStorage.setItem('_ms-mem', confirmed)
    window.dispatchEvent(new StorageEvent('storage', { key: '_ms-mem', storageArea: window.localStorage }))
    await waitFor(() => expect(member()?.verified).toBe(JSON.parse(confirmed).verified))
    expect(isRead()).toBe(true)
  })
})
